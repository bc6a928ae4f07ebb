import AllotConfiguration
import AllotPages
import AllotServing

extension AllotService {
    /// `/units/{id}/override`: tokens for testers' devices, for callers with the scope `override`. The routes exist if
    /// the server can sign and knows its callers: a token changes what an app does.
    var overridePages: [Route] {
        guard makesOverrides, let signer else { return [] }
        let path = "/units/{id}/override"
        return [
            formRoute("GET", path, .override, query: [OverrideRequest.Item.text]) { page in
                let form = OverrideRequest(page.request.query.map { (name: $0.key, value: $0.value) })
                return OverridePage.make(try page.request.component(), page.catalog, form)
            },
            formRoute("POST", path, .override) { page in
                let form = OverrideRequest(try page.request.form())
                let outcome: OverridePage.Outcome
                do throws(OverrideRequest.Failure) {
                    let payload = try form.payload(page.active.plan.definitions, at: page.frame.instant)
                    // What is signed is not logged, and neither is a failure's text, which could show it.
                    guard let token = try? signer.current.token(payload.canonicalBytes) else {
                        throw OverrideRequest.Failure(problems: ["the token could not be signed"])
                    }
                    outcome = .token(token, payload)
                } catch { outcome = .problems(error.problems) }
                return OverridePage.make(try page.request.component(), page.catalog, form, outcome: outcome)
            },
        ]
    }

    /// Whether callers with the scope `override` can have tokens for devices.
    var makesOverrides: Bool { signer != nil && tokens != nil }

    /// `/device`: the values of a tester's device next to those of the definitions, for the scope `override`.
    var devicePage: Route {
        pageRoute("/device", .override, query: DevicePage.Item.all) { page in
            page.answer(DevicePage.make(page.request.query, page.active.plan, in: page.frame))
        }
    }
}
