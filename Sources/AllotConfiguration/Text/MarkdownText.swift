/// Text from outside in GitHub's Markdown, in a cell of a table or elsewhere: no character of it means anything to
/// Markdown or HTML, or mentions an account. `Sendable`.
package struct MarkdownText: Sendable, CustomStringConvertible {
    package let description: String

    /// Escapes the beginning of a name or a value.
    package init(_ text: String) { self.init(PrintableText(text)) }
    /// Escapes the beginning of a sentence.
    package init(line text: String) { self.init(PrintableText(line: text)) }

    private init(_ text: PrintableText) {
        // By scalars, as Markdown reads it: a combining mark forms one character with what is before it.
        description = text.description.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "@" {
                // A backslash does not stop GitHub from mentioning an account.
                result += "&#64;"
                return
            }
            if "\\`*_{}[]<>|#&~$".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }

    /// Text as code, between more backticks than it has in a row; without the bars that would end a cell of a table.
    package init(code text: String) {
        var shown = "".unicodeScalars
        var (run, longest) = (0, 0)
        for scalar in PrintableText(text).description.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
            shown.append(scalar == "|" ? "¦" : scalar)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let padding = longest > 0 ? " " : ""
        description = fence + padding + String(shown) + padding + fence
    }
}
