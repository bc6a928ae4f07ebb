import AllotCore

/// The surroundings of a page: its links, and the definitions and the instant that it shows.
package struct PageFrame: Sendable {
    package let links: PageLinks
    /// The revision of the definitions; `nil` if the reader may not know it.
    package let revision: String?
    package let instant: Instant
    /// The instant since which newer definitions could not be loaded; `nil` if the page is of the current ones.
    package let staleSince: Instant?
    package let problems: [String]
    /// The number of errors in the definitions that could not be loaded.
    package let problemCount: Int

    package init(
        _ links: PageLinks, revision: String?, instant: Instant, staleSince: Instant? = nil, problems: [String] = [],
        problemCount: Int = 0
    ) {
        (self.links, self.revision, self.instant, self.staleSince) = (links, revision, instant, staleSince)
        (self.problems, self.problemCount) = (problems, problemCount)
    }

    package init(ofFile place: PagePlace, _ catalog: Catalog) {
        self.init(PageLinks(ofFile: place), revision: catalog.plan.revision, instant: catalog.instant)
    }

    package var staleness: String? { staleSince.map { "Definitions stale since \($0.shortText)" } }
}

package enum PageIcon {
    /// The picture, in colours that are seen on light and on dark.
    package static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">\
        <rect x="1" y="1" width="30" height="30" rx="15" fill="#0969da"/>\
        <path d="M16 16V1a15 15 0 0 1 13 22.5z" fill="#f0883e"/></svg>
        """
}
