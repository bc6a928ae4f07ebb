import AllotCore

/// What is around every page: where its links lead, and of what and of when it is.
package struct PageFrame: Sendable {
    /// Where links lead.
    package let links: PageLinks
    /// The revision of all definitions.
    package let revision: String
    /// The instant that the page is about.
    package let instant: Instant
    /// Since when newer definitions could not be loaded; `nil` if the page is of the current ones.
    package let staleSince: Instant?
    /// The first errors in the definitions that could not be loaded.
    package let problems: [String]
    /// The number of errors in the definitions that could not be loaded.
    package let problemCount: Int

    /// Whether there are the other pages, and not this one alone.
    package let hasSite: Bool

    /// Describes what is around a page.
    package init(
        _ links: PageLinks, revision: String, instant: Instant, staleSince: Instant? = nil, problems: [String] = [],
        problemCount: Int = 0, hasSite: Bool = true
    ) {
        self.links = links
        self.revision = revision
        self.instant = instant
        self.staleSince = staleSince
        self.problems = problems
        self.problemCount = problemCount
        self.hasSite = hasSite
    }

    /// Describes what is around a page that is a file.
    package init(ofFile place: PagePlace, _ catalog: Catalog) {
        self.init(PageLinks(ofFile: place), revision: catalog.plan.revision, instant: catalog.instant)
    }

    /// The words on definitions that are not current; `nil` if they are.
    package var staleness: String? {
        staleSince.map { since in
            "Definitions stale since \(since.shortText)"
        }
    }
}
