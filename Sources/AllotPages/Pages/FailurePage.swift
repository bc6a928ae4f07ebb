import AllotReports

/// The page of a request that failed.
package enum FailurePage {
    /// Makes the page of a message; `near` are the pages that may be meant.
    package static func make(
        _ title: String, _ message: String, near: [NearestPages.Entry] = [], _ links: PageLinks
    ) -> Page {
        Page(title) { page in
            page.p("\(PageText.capitalised(message) + (message.hasSuffix("?") ? "" : "."))", class: "notice bad")
            guard !near.isEmpty else { return }
            page.p("Nearest to it:")
            page.list(near.map { "\(link: $0.title, to: links.to($0.place))" })
        }
    }
}
