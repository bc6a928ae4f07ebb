import AllotDefinitions
import AllotPages
import AllotServing
import Logging

extension AllotService {
    /// `/settings/edit`: changes of settings that are written, for callers with the scope `edit`. The routes exist if
    /// the server writes changes and knows its callers.
    func settingEditorPages(_ proposals: ChangeProposals?) -> [Route] {
        guard let proposals, let tokens, writes(with: proposals) else { return [] }
        let path = "/settings/edit"
        return [
            formRoute("GET", path, .edit, query: [SettingForm.Item.setting]) { page in
                let setting = page.request.query[SettingForm.Item.setting]
                return SettingEditorPage.make(try setting.map { try page.setting($0) }, page.links)
            },
            formRoute("POST", path, .edit) { page in
                guard let form = SettingForm(try page.request.form()) else {
                    throw RequestFailure(.badRequest, "the form has no operation; it is value, add or remove")
                }
                guard form.operation == .add || !form.setting.isEmpty else {
                    throw RequestFailure(.badRequest, "the form names no setting; send setting and value")
                }
                guard let bearer = tokens.current.bearer(of: .edit, page.request, from: .person) else {
                    throw RequestFailure(.forbidden, "the token has just lost the scope edit")
                }
                if !form.confirmation.isEmpty {
                    let outcome = try await write(form, by: bearer, with: proposals, page)
                    return SettingEditorPage.make(nil, page.links, outcome: outcome)
                }
                let setting = form.operation == .add ? nil : try page.setting(form.setting)
                return SettingEditorPage.make(
                    setting, page.links,
                    outcome: try await proposals.outcome(of: form, for: bearer, at: page.frame.instant))
            },
        ]
    }

    /// Writes a confirmed change; the next page is made from the new plan.
    func write<Form: ChangeForm>(
        _ form: Form, by bearer: AccessBearer, with proposals: ChangeProposals, _ page: PageRequest
    ) async throws -> ChangeOutcome<Form> {
        let (edit, commit) = try await proposals.write(form, by: bearer, at: page.frame.instant)
        page.request.logger?.notice(
            "\(bearer.name) changed \(edit.path): \(edit.message)", metadata: ["commit": "\(commit ?? "none")"])
        await reload()
        return .written(edit, commit: commit)
    }
}
