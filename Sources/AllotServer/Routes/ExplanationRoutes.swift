import Allot
import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// `/explain/{id}`: every step of every decision, as JSON or as a page.
struct ExplanationRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.route(.get, "explain/:id", .explain, .explanation, on: group) { request, context in
            var bytes: [UInt8] = []
            var target = try environment.reading.subjects.target(
                request.uri.string, reserved: "experiment", into: &bytes)
            try environment.reading.subjects.checkUnit(target.lastComponent.count)
            target.unit = target.lastComponent
            let subject = try await environment.completed(target.subject(bytes), request, context)
            let id = String(decoding: bytes[target.lastComponent], as: UTF8.self)
            let keys = target.reserved.map { String(decoding: bytes[$0], as: UTF8.self) }
            let active = environment.allot.plans.current
            let plan = active.plan
            for key in keys where active.experiment(key) == nil {
                throw RequestFailure(.notFound, "there is no experiment \(QuotedText(key))")
            }
            let explanation = plan.explanation(
                for: subject, at: environment.allot.now(), experiments: keys.isEmpty ? nil : keys)
            var response =
                ContentNegotiation.prefersPage(request.headers[.accept])
                ? try page(explanation, id: id) : .json(explanation.json)
            response.headers[.vary] = "Accept"
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        }
    }

    private func page(_ explanation: Explanation, id: String) throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                    + "form-action 'none'; frame-ancestors 'none'",
                .referrerPolicy: "no-referrer",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try ExplanationPage.html(explanation, id: id))))
    }
}
