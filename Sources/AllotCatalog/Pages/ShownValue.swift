import AllotAnalysis
import AllotConfiguration

/// A value of a setting as a page shows it: cut if it is long, with the whole of it below.
struct ShownValue {
    let values: PageValues

    private static let longest = 240

    /// - Parameter value: `nil` where there is none.
    init(_ value: JSONValue?) {
        guard let text = value?.canonicalText else {
            values = ["none": true]
            return
        }
        let isLong = text.utf8.count > Self.longest
        values = [
            "text": isLong ? nil : text, "short": isLong ? String(text.prefix(80)) + "…" : nil,
            "whole": isLong ? text : nil, "size": isLong ? NumberFormat.grouped(text.utf8.count) : nil,
        ]
    }

    /// The HTML of ``values``.
    static let template = """
        {{#none}}<span class="faint">nothing</span>{{/none}}\
        {{#text}}<code dir="auto">{{text}}</code>{{/text}}\
        {{#short}}<details><summary><code dir="auto">{{short}}</code> <span class="faint">{{size}} bytes</span>\
        </summary>\
        <pre tabindex="0" dir="auto">{{whole}}</pre></details>{{/short}}
        """
}
