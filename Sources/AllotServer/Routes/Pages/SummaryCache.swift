import Allot
import AllotCatalog
import AllotExposures
import AllotServing

/// Keeps what a store counted for some seconds, and for longer if it takes longer to count, so that readers of the
/// overview cost the store little, however many they are. Requests that come meanwhile wait for the same count.
actor SummaryCache {
    private let exposures: ExposureService
    private let lifetime: Duration
    private var revision: String?
    private var expiry = ContinuousClock.now
    private var summary: Task<ExposureSummary, any Error>?

    /// - Parameter lifetime: how long a count is kept if it took next to no time.
    init(_ exposures: ExposureService, lifetime: Duration = .seconds(5)) {
        self.exposures = exposures
        self.lifetime = lifetime
    }

    /// What is known of the exposures to the experiments of a plan.
    func exposures(to plan: Plan) async -> KnownExposures {
        let task = current(plan)
        do {
            return .counted(try await task.value)
        } catch {
            if summary == task { summary = nil }
            return .unreadable
        }
    }

    private func current(_ plan: Plan) -> Task<ExposureSummary, any Error> {
        if let summary, revision == plan.revision, ContinuousClock.now < expiry { return summary }
        let start = ContinuousClock.now
        let next = Task { [exposures] in ExposureSummary(try await exposures.totals(), of: plan) }
        (revision, summary, expiry) = (plan.revision, next, start + .seconds(3600))
        Task {
            _ = await next.result
            let kept: Duration = max(lifetime, start.duration(to: .now) * 10)
            if summary == next { expiry = .now + kept }
        }
        return next
    }
}
