/// Which part of a long list a page shows. Pages of files show all of it.
struct Pager {
    /// The most rows of a list that a server shows at a time.
    static let size = 100

    /// The number of the page, from 1 on.
    let page: Int
    private let pageCount: Int
    private let count: Int
    private let size: Int

    /// - Parameters:
    ///   - count: the length of the list.
    ///   - page: the page that was asked for; past the end it is the last.
    init(_ count: Int, page: Int, _ links: PageLinks) {
        self.count = count
        size = links.form == .routes ? Self.size : max(count, 1)
        pageCount = max(1, (count + size - 1) / size)
        self.page = min(max(page, 1), pageCount)
    }

    /// The rows that are shown.
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
