import Allot
import AllotConfiguration
import AllotExposures
import AllotServing

/// Keeps what a store counted for single experiments for some seconds, and for longer if it takes longer to count, so
/// that readers of one page cost the store little. Requests that come meanwhile wait for the same count.
actor HistoryCache {
    /// What was read of one randomisation; `nil` for an experiment that is not randomised.
    typealias Reading = (salt: String, history: ExposureHistory, others: [StoredRandomisation])?

    private struct Key: Hashable {
        let experiment: String
        let own: UTF8Key?
        let salt: UTF8Key?
    }

    private struct Entry {
        let task: Task<Result<Reading, RequestFailure>, Never>
        var expiry: ContinuousClock.Instant
    }

    private let exposures: ExposureService
    private let lifetime: Duration
    private var entries: [Key: Entry] = [:]

    /// The most randomisations that are kept.
    private static let mostEntries = 64

    /// - Parameter lifetime: how long a count is kept if it took next to no time.
    init(_ exposures: ExposureService, lifetime: Duration = .seconds(5)) {
        self.exposures = exposures
        self.lifetime = lifetime
    }

    /// The units of a randomisation; `nil` for the present one.
    func history(of experiment: Plan.Experiment, salt: String?) async throws(RequestFailure) -> Reading {
        let key = Key(
            experiment: experiment.key, own: experiment.salt.map(UTF8Key.init), salt: salt.map(UTF8Key.init))
        if let known = entries[key], ContinuousClock.now < known.expiry { return try await known.task.value.get() }
        let start = ContinuousClock.now
        let task = Task { [exposures] () -> Result<Reading, RequestFailure> in
            do throws(RequestFailure) {
                return .success(try await exposures.history(of: experiment, salt: salt))
            } catch {
                return .failure(error)
            }
        }
        if entries.count >= Self.mostEntries { entries.removeAll() }
        entries[key] = Entry(task: task, expiry: start + .seconds(3600))
        let result = await task.value
        if entries[key]?.task == task {
            // A failure is not kept.
            if case .success = result {
                entries[key]?.expiry = .now + max(lifetime, start.duration(to: .now) * 10)
            } else {
                entries[key] = nil
            }
        }
        return try result.get()
    }
}
