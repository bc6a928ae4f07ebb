/// HTML and SVG as text, with every element closed and every text escaped, so that it is well-formed XML too.
struct Markup {
    private(set) var text = ""

    /// An element with what `body` writes into it.
    mutating func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ body: (inout Markup) -> Void
    ) {
        open(name, attributes)
        text += ">"
        body(&self)
        text += "</\(name)>"
    }

    /// An element that holds text.
    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String) {
        element(name, attributes) { $0.write(content) }
    }

    /// An element that holds text and has no attributes.
    mutating func element(_ name: String, _ content: String) {
        element(name, [:], content)
    }

    /// An element that holds nothing.
    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        open(name, attributes)
        text += "/>"
    }

    /// Text, escaped.
    mutating func write(_ content: String) {
        Self.escape(content, into: &text)
    }

    /// Markup as it is: constants of this program only.
    mutating func write(verbatim markup: String) {
        text += markup
    }

    /// A line feed, for those who read the source.
    mutating func endLine() {
        text += "\n"
    }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String>) {
        text += "<\(name)"
        for (key, value) in attributes {
            text += " \(key)=\""
            Self.escape(value, into: &text)
            text += "\""
        }
    }

    private static func escape(_ content: String, into text: inout String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            // XML has no other control characters, and not these two at all.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
