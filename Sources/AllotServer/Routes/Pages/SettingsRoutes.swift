import AllotCatalog
import AllotConfiguration
import AllotServing
import Hummingbird

/// `/settings`: every setting of the base, and new values to try out.
struct SettingsRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        let proposals = environment.allot.proposals
        environment.page("settings", .settings, on: group) { page in
            let query = try environment.reading.query(page.request, ["text", "section", "setting", "page", "value"])
            var selection = SettingsSelection()
            selection.text = query["text"] ?? ""
            selection.section = query["section"] ?? ""
            selection.setting = query["setting"] ?? ""
            guard let number = Int(query["page"] ?? "1"), (1...1_000_000).contains(number) else {
                throw RequestFailure(.badRequest, "page is not a number from 1; leave it out for the first")
            }
            selection.page = number
            if !selection.setting.isEmpty, page.active.plan.definitions.setting(selection.setting) == nil {
                throw RequestFailure(.notFound, "there is no setting \(QuotedText(selection.setting))")
            }
            var proposal: SettingProposal?
            if let text = query["value"], !selection.setting.isEmpty {
                proposal = try await proposals?.make(text, for: selection.setting, at: page.frame.instant)
            }
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: proposals != nil, proposal: proposal)
        }
    }
}
