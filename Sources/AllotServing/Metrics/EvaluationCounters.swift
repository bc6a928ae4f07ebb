import AllotCore
import Metrics
import Synchronization

/// Counts the decisions of the experiments that are defined. The counters of an experiment go with its definition, so
/// that those of long-lived servers do not pile up. `Sendable`.
final class EvaluationCounters: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Counts decisions. Requests that began with an earlier plan may report an experiment that is no longer defined,
    /// whose decisions are not counted.
    func record(_ key: String, _ reason: Reason, _ count: Int) {
        keys.withLock { keys in
            if keys.contains(key) { Self.counter(key, reason).increment(by: count) }
        }
    }

    /// Counts the experiments of a plan from now on, and removes the counters of others.
    func replace(with plan: Plan) {
        let next = Set(plan.experiments.map(\.key))
        keys.withLock { keys in
            for key in keys.subtracting(next) {
                for reason in Reason.allCases { Self.counter(key, reason).destroy() }
            }
            keys = next
        }
    }

    private static func counter(_ key: String, _ reason: Reason) -> Counter {
        Counter(label: MetricName.evaluations, dimensions: [("experiment", key), ("reason", reason.text)])
    }
}
