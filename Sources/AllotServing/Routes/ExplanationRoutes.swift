import AllotConfiguration
import AllotCore

extension AllotService {
    /// `/explain/{id}`: every step of every decision, as JSON; as a page too, if there are pages.
    var explanationRoute: Route {
        Route("GET", "/explain/{id}", .explain, from: pages == nil ? .program : .person) { request in
            var bytes: [UInt8] = []
            var target = try self.target(request.target, reserved: "experiment", into: &bytes)
            try checkUnit(target.lastComponent.count)
            target.unit = target.lastComponent
            let sent = target.subject(bytes)
            let subject = try await request.completing(sent)
            let keys = target.reserved.map { bytes.text($0) }
            let active = plans.current
            for key in keys where active.experiment(key) == nil { throw active.unknownExperiment(key) }
            let selection = keys.isEmpty ? nil : keys
            if let pages, request.prefersPage {
                let explained = ExplainedUnit(
                    active: active, id: bytes.text(target.lastComponent), subject: subject, sent: sent,
                    attributes: target.attributeLines(bytes), experiments: selection)
                return await pages.page(of: explained, for: request, in: self)
            }
            let explanation = active.plan.explanation(for: subject, at: now(), experiments: selection)
                .forClient(sending: sent)
            var answer = HTTPAnswer(json: explanation.json)
            answer.headers += [("Vary", "Accept"), ("X-Content-Type-Options", "nosniff")]
            return answer
        }
    }
}

extension ActivePlan {
    package func unknownExperiment(_ key: String) -> RequestFailure {
        let hint = NearestName.hint(for: key, among: plan.experiments.map(\.key))
        return RequestFailure(
            .notFound,
            "there is no experiment \(QuotedText(key))" + (hint.map { "; did you mean \(QuotedText($0))?" } ?? ""))
    }
}
