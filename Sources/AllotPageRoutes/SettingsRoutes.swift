import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotPages
import AllotServer
import AllotServing
import Hummingbird

/// `/settings`: every setting of the base, and new values to try out.
struct SettingsRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    let proposals: SettingProposals?

    func add(to group: RouterGroup<Context>) {
        environment.formPage(.get, "settings", .explain, on: group) { page in
            let query = try environment.reading.query(page.request, ["text", "section", "setting", "page"])
            var selection = SettingsSelection()
            selection.text = query["text"] ?? ""
            selection.section = query["section"] ?? ""
            selection.setting = query["setting"] ?? ""
            selection.page = try environment.read(query, OverviewQuery.page)
            if !selection.setting.isEmpty { _ = try page.setting(selection.setting) }
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: proposals != nil,
                canWrite: environment.writes(with: proposals))
        }
        guard let proposals else { return }
        // Not a GET, although nothing is written: it takes as long as the checks and tests of all definitions.
        environment.formPage(.post, "settings", .explain, on: group) { page in
            let items = try await environment.reading.form(page.request)
            guard let form = SettingForm(items, as: .value), try form.text(of: page.setting(form.setting)) != nil else {
                throw RequestFailure(.badRequest, "the form has no value; send setting and value")
            }
            var selection = SettingsSelection()
            selection.setting = form.setting
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: true, canWrite: environment.writes(with: proposals),
                proposal: try await proposals.make(form, at: page.frame.instant))
        }
    }
}

extension PageRequest {
    /// The setting with a path such as `Checkout.Steps`.
    func setting(_ path: String) throws(RequestFailure) -> DeclaredSetting {
        if let setting = active.plan.definitions.setting(path) { return setting }
        throw RequestFailure(.notFound, "there is no setting \(QuotedText(path))")
    }
}
