/// The part of a long list that a page shows. Pages of files show all of it.
struct Pager {
    /// The number of the page, from 1.
    let page: Int
    let pageCount: Int
    private let count: Int
    private let size: Int

    /// - Parameters:
    ///   - count: the length of the list.
    ///   - page: the requested page; past the end it is the last.
    ///   - size: the most rows that a server shows at a time.
    init(_ count: Int, page: Int, _ links: PageLinks, size: Int = 100) {
        self.count = count
        self.size = links.form == .routes ? size : max(count, 1)
        pageCount = max(1, (count + self.size - 1) / self.size)
        self.page = min(max(page, 1), pageCount)
    }

    var rows: Range<Int> { (page - 1) * size..<min(page * size, count) }

    /// The way to the other pages, as HTML; empty if there is one page.
    ///
    /// - Parameter link: gives the reference to a page.
    func html(_ link: (Int) -> String) -> String {
        guard pageCount > 1 else { return "" }
        return Self.template.html([
            "page": page, "pageCount": pageCount, "first": rows.lowerBound + 1, "last": rows.upperBound,
            "total": count, "previous": page > 1 ? link(page - 1) : nil,
            "following": page < pageCount ? link(page + 1) : nil,
        ])
    }

    private static let template = PageTemplate(
        """
        <nav class="pager" aria-label="Pages of the list">
        {{#previous}}<a rel="prev" href="{{previous}}">Previous page</a>{{/previous}}
        <span>Page {{page}} of {{pageCount}}: {{first}} to {{last}} of {{total}}</span>
        {{#following}}<a rel="next" href="{{following}}">Next page</a>{{/following}}
        </nav>
        """)
}
