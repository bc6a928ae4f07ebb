import Allot
import AllotConfiguration
import HTTPTypes
import Hummingbird
import NIOCore

/// `/explain/{id}`: every step of every decision, as JSON or as a page.
struct ExplanationRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
    }

    func add(to group: RouterGroup<Context>) {
        group.route(.get, "explain/:id") { request, context in
            try environment.authorization.require(.explain, request)
            let id = try environment.reading.lastPathComponent(request)
            var items = try environment.reading.queryItems(request)
            let keys = items.filter { $0.name == "experiment" }.map(\.value)
            items.removeAll { $0.name == "experiment" }
            let subject = try await environment.completed(environment.reading.subject(id: id, items), request, context)
            let active = environment.allot.plans.current
            let plan = active.plan
            for key in keys where active.experiment(key) == nil {
                throw RequestFailure(.notFound, "there is no experiment \(QuotedText(key))")
            }
            let explanation = plan.explanation(
                for: subject, at: environment.allot.now(), experiments: keys.isEmpty ? nil : keys)
            var response =
                ContentNegotiation.prefersPage(request.headers[.accept])
                ? try page(explanation, id: id) : .json(explanation.json.canonicalBytes)
            response.headers[.vary] = "Accept"
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        }
    }

    private func page(_ explanation: Explanation, id: String) throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private",
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try ExplanationPage.html(explanation, id: id))))
    }
}
