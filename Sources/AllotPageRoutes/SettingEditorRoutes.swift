import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServer
import AllotServing
import Hummingbird
import Logging

/// `/settings/edit`: changes of settings that are written, for callers with the scope `edit`.
struct SettingEditorRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    let proposals: SettingProposals?
    private static var path: String { "settings/edit" }

    /// Adds the routes if the server writes changes and knows its callers.
    func add(to group: RouterGroup<Context>) {
        guard let proposals, let tokens = environment.allot.tokens, environment.writes(with: proposals) else { return }
        environment.formPage(.get, Self.path, .edit, on: group) { page in
            let query = try environment.reading.query(page.request, [SettingForm.Item.setting])
            let setting = try declared(query[SettingForm.Item.setting] ?? "", in: page)
            return SettingEditorPage.make(setting, SettingForm(for: setting), page.links)
        }
        environment.formPage(.post, Self.path, .edit, on: group) { page in
            guard let form = SettingForm(try await environment.reading.form(page.request)) else {
                throw RequestFailure(.badRequest, "the form has no operation; it is value, add or remove")
            }
            guard let bearer = tokens.current.bearer(of: .edit, page.request.head, from: .person) else {
                throw RequestFailure(.forbidden, "the token has just lost the scope edit")
            }
            if !form.confirmation.isEmpty {
                let written = try await proposals.write(form, by: bearer, at: page.frame.instant)
                page.context.logger.notice(
                    "\(bearer.name) changed \(written.path): \(written.message)",
                    metadata: ["commit": "\(written.commit ?? "none")"])
                return SettingEditorPage.make(nil, form, page.links, outcome: .written(written))
            }
            let setting = try declared(form.setting, in: page)
            let proposal = try await proposals.make(form, at: page.frame.instant)
            let digests = proposal.mayBeWritten ? proposal.edit?.edit.digests : nil
            return SettingEditorPage.make(
                setting, form, page.links,
                outcome: .proposal(proposal, confirmation: digests.map { bearer.confirmation(of: $0) }))
        }
    }

    /// The setting with a path; `nil` if that is empty.
    private func declared(_ path: String, in page: PageRequest<Context>) throws -> DeclaredSetting? {
        if path.isEmpty { return nil }
        if let setting = page.active.plan.definitions.setting(path) { return setting }
        throw RequestFailure(.notFound, "there is no setting \(QuotedText(path))")
    }
}

extension RouteEnvironment {
    /// Whether changes of settings are written: a server that does not know its callers writes none.
    func writes(with proposals: SettingProposals?) -> Bool {
        proposals?.mayWrite == true && allot.tokens != nil
    }
}
