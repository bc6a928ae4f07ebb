import AllotConfiguration
public import AllotCore
import AllotDefinitions
import Synchronization

/// A loaded plan, with what the routes need of it. `Sendable`.
///
/// It is immutable except for its counts. A request takes it once and sees one plan throughout.
public final class ActivePlan: Sendable {
    /// The plan.
    public let plan: Plan
    package let warnings: [DefinitionProblem]
    package let loadedAt: Instant
    package let flags: FlagTable
    package let signatures = SignatureCache()
    private let counters: EvaluationCounters
    private let idle = Mutex<[LockedScratch]>([])

    /// Memory for the decisions of one request at a time. In a lock of its own, it is passed on without being copied.
    private final class LockedScratch: Sendable {
        let scratch: Mutex<RequestScratch>
        init(_ scratch: RequestScratch) { self.scratch = Mutex(scratch) }
    }

    /// Counts are passed on after this many requests: shared counters are slow to change from many threads.
    private static let countLimit: UInt32 = 1024

    init(_ plan: Plan, warnings: [DefinitionProblem], loadedAt: Instant, counters: EvaluationCounters) {
        (self.plan, self.counters, self.warnings, self.loadedAt) = (plan, counters, warnings, loadedAt)
        flags = FlagTable(plan)
    }

    package func experiment(_ key: String) -> Plan.Experiment? { plan.index(of: key).map { plan.experiments[$0] } }
    deinit { passCountsOn() }

    package func withScratch<Result: Sendable>(
        at instant: Instant, _ body: (inout RequestScratch) throws -> Result
    ) rethrows -> Result {
        let locked = idle.withLock { $0.popLast() } ?? LockedScratch(RequestScratch(plan, at: instant))
        defer { idle.withLock { $0.append(locked) } }
        return try locked.scratch.withLock { scratch in
            defer { scratch.passCounts(to: counters, minimum: Self.countLimit) }
            return try body(&scratch)
        }
    }

    /// Makes the counters show all decisions of requests that are answered.
    package func passCountsOn() {
        let idle = idle.withLock { $0 }
        for locked in idle { locked.scratch.withLock { $0.passCounts(to: counters) } }
    }
}
