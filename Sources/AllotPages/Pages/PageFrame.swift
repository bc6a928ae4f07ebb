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
        self.links = links
        self.revision = revision
        self.instant = instant
        self.staleSince = staleSince
        self.problems = problems
        self.problemCount = problemCount
    }

    package init(ofFile place: PagePlace, _ catalog: Catalog) {
        self.init(PageLinks(ofFile: place), revision: catalog.plan.revision, instant: catalog.instant)
    }

    /// The words on definitions that are not current; `nil` if they are.
    package var staleness: String? { staleSince.map { "Definitions stale since \($0.shortText)" } }
}
