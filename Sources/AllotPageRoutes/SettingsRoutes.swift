import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServing
import Logging

extension AllotService {
    /// `/settings`: every setting of the base, and new values to try out.
    func settingPages(_ proposals: ChangeProposals?) -> [Route] {
        let names = ["text", "section", "setting", "page"]
        let settings = formRoute("GET", "/settings", .explain, query: names + SettingForm.Item.values) { page in
            let items = page.request.query
            var selection = SettingsSelection()
            selection.text = items["text"] ?? ""
            selection.section = items["section"] ?? ""
            selection.setting = items["setting"] ?? ""
            selection.page = try page.read(OverviewQuery.page)
            if items.keys.contains(where: { !names.contains($0) }) {
                let form = SettingForm(try page.askedItems(with: proposals), as: .value)
                return try await settingsPage(page, form, proposals)
            }
            if !selection.setting.isEmpty { _ = try page.setting(selection.setting) }
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: proposals != nil, canWrite: writes(with: proposals))
        }
        guard proposals != nil else { return [settings] }
        // For values that are too long for a link.
        let proposal = formRoute("POST", "/settings", .explain) { page in
            try await settingsPage(page, SettingForm(page.request.form(), as: .value), proposals)
        }
        return [settings, proposal]
    }

    private func settingsPage(
        _ page: PageRequest, _ form: SettingForm?, _ proposals: ChangeProposals?
    ) async throws -> Page {
        guard let proposals, let form, !form.setting.isEmpty, try form.text(of: page.setting(form.setting)) != nil
        else { throw RequestFailure(.badRequest, "the request lacks a setting or a value; send setting and value") }
        var selection = SettingsSelection()
        selection.setting = form.setting
        return SettingsPage.make(
            page.catalog, selection, page.links, canEdit: true, canWrite: writes(with: proposals),
            proposal: try await proposals.shown(form, at: page.frame.instant))
    }

    /// Whether changes of settings are written: a server that does not know its callers writes none.
    func writes(with proposals: ChangeProposals?) -> Bool { proposals?.mayWrite == true && tokens != nil }
}

extension AllotService {
    /// `/settings/edit`: changes of settings that are written, for callers with the scope `edit`. The routes exist if
    /// the server writes changes and knows its callers.
    func settingEditorPages(_ proposals: ChangeProposals?) -> [Route] {
        guard let proposals, writes(with: proposals) else { return [] }
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
                let bearer = try editor(page.request)
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

    /// The sender of a request that was allowed to write, whose token may just have lost the scope `edit`.
    func editor(_ request: ServiceRequest) throws(RequestFailure) -> AccessBearer {
        if let bearer = tokens?.current.bearer(of: .edit, request, from: .person) { return bearer }
        throw RequestFailure(.forbidden, "the token has just lost the scope edit")
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

extension PageRequest {
    /// The items of the query of a link to a change, with line feeds. A change takes so long that no page of another
    /// origin may try it in the background.
    func askedItems(with proposals: ChangeProposals?) throws(RequestFailure) -> [(name: String, value: String)] {
        guard proposals != nil else {
            throw RequestFailure(
                .badRequest, "changes are not tried out here, because the service has no folder of definitions")
        }
        guard request.isAskedByPerson else {
            throw RequestFailure(.forbidden, "the change is asked for by a page of another site; open the link itself")
        }
        return request.query.map { (name: $0.key, value: $0.value.replacing("\r\n", with: "\n")) }
    }

    func setting(_ path: String) throws(RequestFailure) -> DeclaredSetting {
        if let setting = active.plan.definitions.setting(path) { return setting }
        throw RequestFailure(.notFound, "there is no setting \(QuotedText(path))")
    }
}
