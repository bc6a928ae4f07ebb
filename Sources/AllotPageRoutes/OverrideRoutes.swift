import AllotConfiguration
import AllotPages
import AllotServer
import AllotServing
import Hummingbird

/// `/units/{id}/override`: tokens for testers' devices, for callers with the scope `override`.
struct OverrideRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    private static var path: String { "units/:id/override" }

    /// Adds the routes if the server can sign and knows its callers: a token changes what an app does.
    func add(to group: RouterGroup<Context>) {
        guard environment.allot.makesOverrides, let signer = environment.allot.signer else { return }
        environment.formPage(.get, Self.path, .override, on: group) { page in
            let query = try environment.reading.query(page.request, [OverrideRequest.Item.text])
            let form = OverrideRequest(query.map { (name: $0.key, value: $0.value) })
            return OverridePage.make(try id(page), page.catalog, form)
        }
        environment.formPage(.post, Self.path, .override, on: group) { page in
            let form = OverrideRequest(try await environment.reading.form(page.request))
            let outcome: OverridePage.Outcome
            do throws(OverrideRequest.Failure) {
                let payload = try form.payload(page.active.plan.definitions, at: page.frame.instant)
                // What is signed is not logged, and neither is a failure's text, which could show it.
                guard let token = try? signer.current.token(payload.canonicalBytes) else {
                    throw OverrideRequest.Failure(problems: ["the token could not be signed"])
                }
                outcome = .token(token, payload)
            } catch {
                outcome = .problems(error.problems)
            }
            return OverridePage.make(try id(page), page.catalog, form, outcome: outcome)
        }
    }

    private func id(_ page: PageRequest<Context>) throws -> String {
        try environment.reading.pathComponent("id", page.context)
    }
}

extension AllotService {
    /// Whether callers with the scope `override` can have tokens for devices.
    var makesOverrides: Bool { signer != nil && tokens != nil }
}
