import AllotCore
import Metrics
import Synchronization

package enum MetricName {
    package static let requests = "allot_http_requests"
    package static let requestDuration = "allot_http_request_duration"
    package static let evaluations = "allot_evaluations"
    package static let unsearchedTexts = "allot_unsearched_texts"
    package static let reloads = "allot_definitions_reloads"
    package static let exposures = "allot_exposures"
    package static let exposureQueue = "allot_exposure_queue_events"
    package static let exposureStoreHealthy = "allot_exposure_store_healthy"
    package static let exposuresPurged = "allot_exposures_purged"
    package static let planAge = "allot_plan_age_seconds"
    package static let planInfo = "allot_plan_info"
    package static let experimentInfo = "allot_experiment_info"
    package static let definitionsStale = "allot_definitions_stale"
    package static let eventStreams = "allot_event_streams"
    package static let logLinesDropped = "allot_log_lines_dropped"
    package static let refusals = "allot_http_refused"
    package static let certificateEnd = "allot_tls_certificate_end_seconds"

    package static let helps = [
        requests + "_total": "Requests by route, method and status.",
        requestDuration + "_seconds": "Seconds from a request's head to its answer.",
        evaluations + "_total": "Decisions by experiment and reason.",
        unsearchedTexts + "_total": "Attributes too long to be searched for a pattern, which then does not match.",
        reloads + "_total": "Attempts to load the definitions by result.",
        exposures + "_total": "Exposures by what became of them.",
        exposuresPurged + "_total": "Exposures that were deleted after the time of retention.",
        refusals + "_total": "Requests and connections that were refused before any route, by reason.",
        logLinesDropped + "_total":
            "Log lines that were dropped: they were too long, not read in time, or could not be written.",
        eventStreams: "Connections that listen for changes.",
    ]
}

/// Counts the decisions of the experiments that are defined; their counters go with the definition. `Sendable`.
final class EvaluationCounters: Sendable {
    private let keys = Mutex<Set<String>>([])

    /// Counts decisions, but not of an experiment that an earlier plan had and that is no longer defined.
    func record(_ key: String, _ reason: Reason, _ count: Int) {
        keys.withLock { keys in if keys.contains(key) { Self.counter(key, reason).increment(by: count) } }
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
