/// The page of a request that failed.
package enum FailurePage {
    /// Makes the page.
    ///
    /// - Parameters:
    ///   - title: what it is about, such as "Not found".
    ///   - message: what is wrong and how to fix it.
    package static func make(_ title: String, _ message: String) -> Page {
        Page(title, template, ["message": PageText.capitalised(message) + (message.hasSuffix("?") ? "" : ".")])
    }

    private static let template = PageTemplate(
        """
        <p class="notice bad">{{message}}</p>
        """)
}
