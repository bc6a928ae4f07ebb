/// The page of a request that failed.
package enum FailurePage {
    /// Makes the page.
    ///
    /// - Parameters:
    ///   - title: what it is about, such as "Not found".
    ///   - message: what is wrong and how to fix it.
    ///   - near: the pages that may be meant.
    package static func make(
        _ title: String, _ message: String, near: [NearestPages.Entry] = [], _ links: PageLinks
    ) -> Page {
        Page(
            title, template,
            [
                "message": PageText.capitalised(message) + (message.hasSuffix("?") ? "" : "."),
                "hasNear": !near.isEmpty,
                "near": near.map { ["title": $0.title, "link": links.to($0.place)] as PageValues },
            ])
    }

    private static let template = PageTemplate(
        """
        <p class="notice bad">{{message}}</p>
        {{#hasNear}}
        <p>Nearest to it:</p>
        <ul>
        {{#near}}
        <li><a href="{{link}}">{{title}}</a></li>
        {{/near}}
        </ul>
        {{/hasNear}}
        """)
}
