import AllotConfiguration
import AllotServing

extension AllotRoutes {
    /// Answers a request without a framework: a POST if there is a body.
    func answer(
        _ target: String, _ body: String? = nil, ifNoneMatch tag: String? = nil, attributes: JSONObject? = nil
    ) async -> HTTPAnswer {
        var request = ServiceRequest(
            method: body == nil ? "GET" : "POST", target: target, headers: [("Content-Type", "application/json")],
            body: Array((body ?? "").utf8))
        if let tag { request.headers.append((name: "If-None-Match", value: tag)) }
        if let attributes { request.attributes = { attributes } }
        return await answer(request)
    }
}

extension HTTPAnswer {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
