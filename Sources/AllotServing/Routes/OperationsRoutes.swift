import AllotConfiguration
import AllotExposures
import Synchronization

extension AllotService {
    var operationRoutes: [Route] {
        var routes = [
            Route("GET", "/health/live", nil) { _ in HTTPAnswer(json: ["status": "ok"]) },
            Route("GET", "/health/ready", nil) { _ in readiness },
        ]
        if let metrics {
            routes.append(
                Route("GET", "/metrics", .metrics) { _ in
                    plans.current.passCountsOn()
                    return HTTPAnswer(
                        headers: [
                            ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
                        ], body: metrics())
                })
        }
        return routes
    }

    /// Ready as long as there is a plan, an old one too, and exposures can be stored.
    private var readiness: HTTPAnswer {
        if draining.isActive { return HTTPAnswer(json: ["status": "draining"], status: 503) }
        let active = plans.current
        let failure = plans.failure
        var definitions: JSONObject = [
            "loaded_at": .string(active.loadedAt.description), "revision": .string(active.plan.revision),
            "state": failure == nil ? "current" : "stale",
        ]
        if let failure {
            definitions["failed_at"] = .string(failure.instant.description)
            definitions["problems"] = .number(JSONNumber(failure.problemCount))
        }
        var json: JSONObject = ["definitions": .object(definitions), "status": "ready"]
        switch exposures?.health {
        case nil: break
        case .healthy: json["exposures"] = ["state": "healthy"]
        case .failing(let message, let since):
            var exposures: JSONObject = [
                "failing_since": .string(Instant(milliseconds: since).text(.milliseconds)), "state": "failing",
            ]
            // This route needs no token, and the message names files, hosts and users.
            if tokens == nil { exposures["error"] = .string(message) }
            json["exposures"] = .object(exposures)
            json["status"] = "not ready"
            return HTTPAnswer(json: .object(json), status: 503)
        }
        return HTTPAnswer(json: .object(json))
    }
}

/// Whether the server is about to end, which load balancers learn from `/health/ready`. `Sendable`.
package final class Draining: Sendable {
    private let flag = Atomic(false)
    package init() {}
    package var isActive: Bool { flag.load(ordering: .relaxed) }
    package func begin() { flag.store(true, ordering: .relaxed) }
}
