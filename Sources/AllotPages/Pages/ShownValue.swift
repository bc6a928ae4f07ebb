import AllotAnalysis
import AllotConfiguration
import AllotReports

/// A value of a setting as a page shows it: cut if it is long, with the whole of it below.
enum ShownValue {
    private static let longest = 240

    /// The values of ``template``.
    ///
    /// - Parameter value: `nil` where there is none.
    static func values(_ value: JSONValue?) -> PageValues {
        guard let text = value?.canonicalText else { return ["none": true] }
        guard text.utf8.count > longest else { return ["text": text] }
        return ["short": String(text.prefix(80)) + "…", "whole": text, "size": NumberFormat.grouped(text.utf8.count)]
    }

    static let template = """
        {{#none}}<span class="faint">nothing</span>{{/none}}\
        {{#text}}<code dir="auto">{{text}}</code>{{/text}}\
        {{#short}}<details><summary><code dir="auto">{{short}}</code> <span class="faint">{{size}} bytes</span>\
        </summary>\
        <pre tabindex="0" dir="auto">{{whole}}</pre></details>{{/short}}
        """
}
