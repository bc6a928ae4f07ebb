public import Allot
import AllotConfiguration
import Metrics
import Synchronization

/// A plan in force, with what the routes need of it. Immutable but for its counts: a request takes it once and sees one
/// plan throughout.
public final class ActivePlan: Sendable {
    /// The plan.
    public let plan: Plan
    /// When it was loaded.
    public let loadedAt: Instant
    /// The experiments' indices by their keys.
    private let indices: [UTF8Key: Int]
    /// The settings of the base configuration as flags.
    let flags: FlagTable
    /// Signatures of its configurations.
    let signatures = SignatureCache()
    private let idle = Mutex<[Workbench]>([])

    /// Memory that one request at a time decides in. Behind a lock of its own, it is passed on without being copied.
    private final class Workbench: Sendable {
        let scratch: Mutex<DecisionScratch>

        init(_ scratch: DecisionScratch) {
            self.scratch = Mutex(scratch)
        }
    }

    init(_ plan: Plan, loadedAt: Instant) {
        self.plan = plan
        self.loadedAt = loadedAt
        flags = FlagTable(plan)
        indices = Dictionary(
            plan.experiments.enumerated().map { (UTF8Key($0.element.key), $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The experiment of a key.
    func experiment(_ key: String) -> Plan.Experiment? {
        indices[UTF8Key(key)].map { plan.experiments[$0] }
    }

    deinit {
        passCountsOn()
    }

    /// Gives `body` memory to decide in.
    func withScratch<Result>(
        at instant: Instant, _ body: (inout sending DecisionScratch) throws -> sending Result
    ) rethrows -> sending Result {
        let bench = idle.withLock { $0.popLast() } ?? Workbench(DecisionScratch(plan, at: instant))
        defer {
            bench.scratch.withLock { scratch in
                if scratch.uncounted >= DecisionScratch.countLimit { scratch.takeCounts(record) }
            }
            idle.withLock { $0.append(bench) }
        }
        return try bench.scratch.withLock(body)
    }

    /// Decides for a subject of any form.
    func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        let decided = plan.decide(subject, at: instant)
        withScratch(at: instant) { $0.count(decided.decisions) }
        return decided
    }

    /// Makes the counters show all that was decided by requests that are answered.
    func passCountsOn() {
        let benches = idle.withLock { $0 }
        for bench in benches { bench.scratch.withLock { $0.takeCounts(record) } }
    }

    private func record(_ experiment: Int, _ reason: Reason, _ count: Int) {
        Counter(
            label: MetricName.evaluations,
            dimensions: [("experiment", plan.experiments[experiment].key), ("reason", reason.text)]
        ).increment(by: count)
    }
}
