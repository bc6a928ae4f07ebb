import AllotCatalog
import AllotConfiguration
import AllotServing
import Hummingbird

/// `/units/{id}/override`: tokens for testers' devices, for callers with the scope `override`.
struct OverrideRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    private static var path: String { "units/:id/override" }

    /// Adds the routes if the server can sign and knows its callers: a token changes what an app does.
    func add(to group: RouterGroup<Context>) {
        guard environment.allot.makesOverrides, let signer = environment.allot.signer else { return }
        environment.formPage(.get, Self.path, .override, .overrideForm, on: group) { page in
            let query = try environment.reading.query(page.request, ["text"])
            return OverridePage.make(
                try id(page), page.catalog, page.links, OverrideRequest([]), text: query["text"] ?? "")
        }
        environment.formPage(.post, Self.path, .override, .override, on: group) { page in
            let items = try await environment.reading.form(page.request)
            let form = OverrideRequest(items)
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
            return OverridePage.make(
                try id(page), page.catalog, page.links, form, text: items.last { $0.name == "text" }?.value ?? "",
                outcome: outcome)
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
