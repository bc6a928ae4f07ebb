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
}
