import AllotReports

/// The part of a long list that a page shows. Pages of files show all of it.
struct Pager {
    let page: Int
    let pageCount: Int
    private let count: Int
    private let size: Int

    /// Divides a list into pages of a size; a page past the end is the last.
    init(_ count: Int, page: Int, _ links: PageLinks, size: Int = 100) {
        self.count = count
        self.size = links.form == .routes ? size : max(count, 1)
        pageCount = max(1, (count + self.size - 1) / self.size)
        self.page = min(max(page, 1), pageCount)
    }

    var rows: Range<Int> { (page - 1) * size..<min(page * size, count) }

    func write(in markup: inout Markup, _ link: (Int) -> String) {
        guard pageCount > 1 else { return }
        markup.element("nav", ["class": "pager", "aria-label": "Pages of the list"]) { nav in
            if page > 1 { nav.inline("a", ["rel": "prev", "href": link(page - 1)], "Previous page") }
            nav.inline("span", "Page \(page) of \(pageCount): \(rows.lowerBound + 1) to \(rows.upperBound) of \(count)")
            if page < pageCount { nav.inline("a", ["rel": "next", "href": link(page + 1)], "Next page") }
        }
    }
}
