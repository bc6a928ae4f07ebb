import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServing

extension AllotService {
    /// `/settings`: every setting of the base, and new values to try out.
    func settingPages(_ proposals: SettingProposals?) -> [Route] {
        let names = ["text", "section", "setting", "page"]
        let settings = formRoute("GET", "/settings", .explain, query: names) { page in
            let items = page.request.query
            var selection = SettingsSelection()
            selection.text = items["text"] ?? ""
            selection.section = items["section"] ?? ""
            selection.setting = items["setting"] ?? ""
            selection.page = try page.read(OverviewQuery.page)
            if !selection.setting.isEmpty { _ = try page.setting(selection.setting) }
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: proposals != nil, canWrite: writes(with: proposals))
        }
        guard let proposals else { return [settings] }
        // Not a GET, although nothing is written: it takes as long as the checks and tests of all definitions.
        let proposal = formRoute("POST", "/settings", .explain) { page in
            let items = try page.request.form()
            guard let form = SettingForm(items, as: .value), try form.text(of: page.setting(form.setting)) != nil else {
                throw RequestFailure(.badRequest, "the form has no value; send setting and value")
            }
            var selection = SettingsSelection()
            selection.setting = form.setting
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: true, canWrite: writes(with: proposals),
                proposal: try await proposals.make(form, at: page.frame.instant))
        }
        return [settings, proposal]
    }

    /// Whether changes of settings are written: a server that does not know its callers writes none.
    func writes(with proposals: SettingProposals?) -> Bool {
        proposals?.mayWrite == true && tokens != nil
    }
}

extension PageRequest {
    /// The setting with a path such as `Checkout.Steps`.
    func setting(_ path: String) throws(RequestFailure) -> DeclaredSetting {
        if let setting = active.plan.definitions.setting(path) { return setting }
        throw RequestFailure(.notFound, "there is no setting \(QuotedText(path))")
    }
}
