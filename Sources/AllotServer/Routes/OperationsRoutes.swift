import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// Probes and metrics.
struct OperationsRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
    }

    func add(to group: RouterGroup<Context>) {
        group.route(.get, "health/live") { _, _ in Response.json(Array(#"{"status":"ok"}"#.utf8)) }
        group.route(.get, "health/ready") { _, _ in Response.json(readiness.canonicalBytes) }
        guard let metrics = environment.allot.metrics else { return }
        group.route(.get, "metrics") { request, _ in
            try environment.authorization.require(.metrics, request)
            environment.allot.plans.current.passCountsOn()
            return Response(
                status: .ok, headers: [.contentType: PrometheusRegistry.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: metrics())))
        }
    }

    /// Ready as long as there is a plan, an old one too; the log has the errors of newer definitions.
    private var readiness: JSONValue {
        let active = environment.allot.plans.current
        let health = environment.allot.plans.health
        var definitions: JSONObject = [
            "loaded_at": .string(active.loadedAt.description), "revision": .string(active.plan.revision),
            "state": health.failedAt == nil ? "current" : "stale",
        ]
        if let failedAt = health.failedAt {
            definitions["failed_at"] = .string(failedAt.description)
            definitions["problems"] = .number(JSONNumber(health.problemCount))
        }
        return ["definitions": .object(definitions), "status": "ready"]
    }
}
