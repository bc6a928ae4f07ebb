import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird

/// `/explain/{id}`: every step of every decision, as JSON; as a page too, if there are pages.
struct ExplanationRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    private static var path: RouterPath { "explain/:id" }

    func add(to group: RouterGroup<Context>) {
        let pages = environment.pages
        let caller: RouteCaller = pages == nil ? .program : .person
        environment.route(.get, Self.path.description, .explain, on: group, from: caller) { request, context in
            var bytes: [UInt8] = []
            var target = try environment.reading.subjects.target(
                request.uri.string, reserved: "experiment", into: &bytes)
            try environment.reading.subjects.checkUnit(target.lastComponent.count)
            target.unit = target.lastComponent
            let sent = target.subject(bytes)
            let subject = try await environment.completed(sent, request, context)
            let keys = target.reserved.map { String(decoding: bytes[$0], as: UTF8.self) }
            let active = environment.allot.plans.current
            for key in keys where active.experiment(key) == nil {
                throw active.unknownExperiment(key)
            }
            let selection = keys.isEmpty ? nil : keys
            if let pages, request.prefersPage {
                let explained = ExplainedUnit(
                    active: active, id: String(decoding: bytes[target.lastComponent], as: UTF8.self),
                    subject: subject, sent: sent, attributes: target.attributeLines(bytes), experiments: selection)
                return await pages.page(of: explained, for: request, depth: Self.path.count, in: environment)
            }
            let explanation = active.plan.explanation(for: subject, at: environment.allot.now(), experiments: selection)
                .forClient(sending: sent)
            var response = Response.json(explanation.json)
            response.headers[.vary] = "Accept"
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        }
    }
}

extension ActivePlan {
    /// The failure of a request for an experiment that does not exist, with the nearest key.
    package func unknownExperiment(_ key: String) -> RequestFailure {
        let hint = NearestName.hint(for: key, among: plan.experiments.map(\.key))
        return RequestFailure(
            .notFound,
            "there is no experiment \(QuotedText(key))" + (hint.map { "; did you mean \(QuotedText($0))?" } ?? ""))
    }
}
