import AllotConfiguration
import AllotDefinitions

enum WarningsSection {
    private static let shownCount = 100
    /// The most warnings that are not folded.
    private static let openCount = 10
    /// The number of bytes of each that are shown: a definition that it quotes may be as long as its file.
    private static let shownBytes = 1000

    /// The section as HTML. Returns `nil` if there are no warnings.
    ///
    /// - Parameter link: The reference to the page of what a warning is about; `nil` for none.
    static func html(_ warnings: [DefinitionProblem], link: (DefinitionProblem) -> String?) -> String? {
        guard !warnings.isEmpty else { return nil }
        let more = warnings.count - shownCount
        return template.html([
            "count": counted(warnings.count, "warning"), "isShort": warnings.count <= openCount,
            "more": more > 0 ? "and \(more) more" : nil,
            "items": warnings.prefix(shownCount).map { warning -> PageValues in
                [
                    "place": warning.placeInFolder, "text": warning.text.shortened(toBytes: shownBytes),
                    "link": link(warning),
                ]
            },
        ])
    }

    private static let template = PageTemplate(
        """
        <h2 id="warnings">Warnings</h2>
        <details{{#isShort}} open{{/isShort}}><summary>{{count}}, found when the definitions were loaded</summary>
        <ul>
        {{#items}}
        <li>{{#link}}<a href="{{link}}">{{place}}</a>{{/link}}{{^link}}{{place}}{{/link}}: {{text}}</li>
        {{/items}}
        {{#more}}
        <li>{{more}}</li>
        {{/more}}
        </ul></details>
        """)
}
