/// The names of the server's metrics.
enum MetricName {
    static let requests = "allot_http_requests"
    static let requestDuration = "allot_http_request_duration"
    static let evaluations = "allot_evaluations"
    static let reloads = "allot_definitions_reloads"
    static let exposures = "allot_exposures"
    static let exposureQueue = "allot_exposure_queue_events"
    static let planAge = "allot_plan_age_seconds"
    static let planInfo = "allot_plan_info"
    static let definitionsStale = "allot_definitions_stale"
    static let eventStreams = "allot_event_streams"

    /// What the metrics mean, by their names as Prometheus sees them.
    static let helps = [
        requests + "_total": "Requests by route, method and status.",
        requestDuration + "_seconds": "Seconds from a request's head to its answer.",
        evaluations + "_total": "Decisions by experiment and reason.",
        reloads + "_total": "Attempts to load the definitions by result.",
        exposures + "_total": "Exposures by what became of them.",
        eventStreams: "Connections that listen for changes.",
    ]
}
