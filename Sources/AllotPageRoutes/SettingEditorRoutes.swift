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
            let path = try environment.reading.query(page.request, [SettingForm.Item.setting])[SettingForm.Item.setting]
            return SettingEditorPage.make(try path.map { try page.setting($0) }, page.links)
        }
        environment.formPage(.post, Self.path, .edit, on: group) { page in
            guard let form = SettingForm(try await environment.reading.form(page.request)) else {
                throw RequestFailure(.badRequest, "the form has no operation; it is value, add or remove")
            }
            guard form.operation == .add || !form.setting.isEmpty else {
                throw RequestFailure(.badRequest, "the form names no setting; send setting and value")
            }
            guard let bearer = tokens.current.bearer(of: .edit, page.request.head, from: .person) else {
                throw RequestFailure(.forbidden, "the token has just lost the scope edit")
            }
            if !form.confirmation.isEmpty {
                let (edit, commit) = try await proposals.write(form, by: bearer, at: page.frame.instant)
                page.context.logger.notice(
                    "\(bearer.name) changed \(edit.path): \(edit.message)", metadata: ["commit": "\(commit ?? "none")"])
                // The next page is made from the new plan.
                await environment.allot.reload()
                return SettingEditorPage.make(nil, page.links, outcome: .written(edit, commit: commit))
            }
            let setting = form.operation == .add ? nil : try page.setting(form.setting)
            let proposal = try await proposals.make(form, at: page.frame.instant)
            let digests = proposal.mayBeWritten ? proposal.edit?.edit.digests : nil
            return SettingEditorPage.make(
                setting, page.links,
                outcome: .proposal(proposal, confirmation: digests.map { bearer.confirmation(of: $0) }))
        }
    }
}

extension RouteEnvironment {
    /// Whether changes of settings are written: a server that does not know its callers writes none.
    func writes(with proposals: SettingProposals?) -> Bool {
        proposals?.mayWrite == true && allot.tokens != nil
    }
}
