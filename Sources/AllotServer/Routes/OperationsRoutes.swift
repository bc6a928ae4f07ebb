import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// Probes and metrics.
struct OperationsRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.route(.get, "health/live", nil, on: group) { _, _ in .json(["status": "ok"]) }
        environment.route(.get, "health/ready", nil, on: group) { _, _ in readiness }
        guard let metrics = environment.allot.metrics else { return }
        environment.route(.get, "metrics", .metrics, on: group) { _, _ in
            environment.allot.plans.current.passCountsOn()
            return Response(
                status: .ok, headers: [.contentType: PrometheusRegistry.contentType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: metrics())))
        }
    }

    /// Ready as long as there is a plan, an old one too, and exposures can be stored; the log has the errors of newer
    /// definitions.
    private var readiness: Response {
        if environment.allot.draining.isActive { return .json(["status": "draining"], status: .serviceUnavailable) }
        let active = environment.allot.plans.current
        let failure = environment.allot.plans.failure
        var definitions: JSONObject = [
            "loaded_at": .string(active.loadedAt.description), "revision": .string(active.plan.revision),
            "state": failure == nil ? "current" : "stale",
        ]
        if let failure {
            definitions["failed_at"] = .string(failure.instant.description)
            definitions["problems"] = .number(JSONNumber(failure.problemCount))
        }
        var json: JSONObject = ["definitions": .object(definitions), "status": "ready"]
        switch environment.allot.exposures?.health {
        case nil: break
        case .healthy: json["exposures"] = ["state": "healthy"]
        case .failing(let message, let since):
            var exposures: JSONObject = [
                "failing_since": .string(since.text(.milliseconds)), "state": "failing",
            ]
            // This route needs no token, and the message names files, hosts and users.
            if environment.allot.tokens == nil { exposures["error"] = .string(message) }
            json["exposures"] = .object(exposures)
            json["status"] = "not ready"
            return .json(.object(json), status: .serviceUnavailable)
        }
        return .json(.object(json))
    }
}
