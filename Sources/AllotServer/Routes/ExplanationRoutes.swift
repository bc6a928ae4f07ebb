import AllotConfiguration
import AllotCore
import AllotPages
import AllotServing
import HTTPTypes
import Hummingbird

/// `/explain/{id}`: every step of every decision, as JSON or as a page.
struct ExplanationRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    private static var path: RouterPath { "explain/:id" }

    func add(to group: RouterGroup<Context>) {
        environment.route(.get, Self.path.description, .explain, on: group, from: .person) { request, context in
            var bytes: [UInt8] = []
            var target = try environment.reading.subjects.target(
                request.uri.string, reserved: "experiment", into: &bytes)
            try environment.reading.subjects.checkUnit(target.lastComponent.count)
            target.unit = target.lastComponent
            let sent = target.subject(bytes)
            let subject = try await environment.completed(sent, request, context)
            let id = String(decoding: bytes[target.lastComponent], as: UTF8.self)
            let keys = target.reserved.map { String(decoding: bytes[$0], as: UTF8.self) }
            let active = environment.allot.plans.current
            let plan = active.plan
            for key in keys where active.experiment(key) == nil {
                throw active.unknownExperiment(key)
            }
            let selection = keys.isEmpty ? nil : keys
            if request.prefersPage {
                let frame = environment.frame(request, of: active, depth: Self.path.count)
                var form = UnitPage.Form()
                form.id = id
                form.names = plan.attributes.names
                form.attributes = target.attributeLines(bytes)
                let answer = UnitPage.Answer(subject, in: plan, at: frame.instant, experiments: selection, sent: sent)
                let exposures = await environment.exposures(of: answer, id: id)
                return Response(UnitPage.make(form, answer, exposures: exposures, in: frame), in: frame)
            }
            let explanation = plan.explanation(for: subject, at: environment.allot.now(), experiments: selection)
                .forClient(sending: sent)
            var response = Response.json(explanation.json)
            response.headers[.vary] = "Accept"
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        }
    }
}
