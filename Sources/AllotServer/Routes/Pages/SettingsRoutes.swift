import AllotCatalog
import AllotConfiguration
import AllotServing
import HTTPTypes
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
            if let text = query["value"], !selection.setting.isEmpty, page.request.isPressed {
                proposal = try await proposals?.make(text, for: selection.setting, at: page.frame.instant)
            }
            return SettingsPage.make(
                page.catalog, selection, page.links, canEdit: proposals != nil, typed: query["value"],
                proposal: proposal)
        }
    }
}

extension Request {
    /// Whether somebody pressed a button on a page of this server: not a page of another origin, nor a browser that
    /// fetches ahead, nor a program that wants the headers. They could make the server work for nothing.
    fileprivate var isPressed: Bool {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        let isOwn = value("Sec-Fetch-Site").map { ["same-origin", "none"].contains($0) } ?? true
        let isAhead = ["Sec-Purpose", "Purpose", "X-Moz"].contains { value($0)?.contains("prefetch") ?? false }
        return method != .head && isOwn && !isAhead
    }
}
