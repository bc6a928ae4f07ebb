public import Allot
import Metrics

/// A plan in force, with what the routes need of it. Immutable: a request takes it once and sees one plan throughout.
public final class ActivePlan: Sendable {
    /// The plan.
    public let plan: Plan
    /// When it was loaded.
    public let loadedAt: Instant
    /// The settings of the base configuration as flags.
    let flags: FlagTable
    /// By experiment and reason how often it was decided.
    private let evaluations: [[LazyCounter]]

    init(_ plan: Plan, loadedAt: Instant) {
        self.plan = plan
        self.loadedAt = loadedAt
        flags = FlagTable(plan)
        evaluations = plan.experiments.map { _ in Reason.allCases.map { _ in LazyCounter() } }
    }

    func count(_ decisions: [Decision]) {
        for index in decisions.indices {
            let reason = decisions[index].reason
            evaluations[index][Int(reason.rawValue)].increment {
                Counter(
                    label: MetricName.evaluations,
                    dimensions: [("experiment", plan.experiments[index].key), ("reason", reason.text)])
            }
        }
    }
}
