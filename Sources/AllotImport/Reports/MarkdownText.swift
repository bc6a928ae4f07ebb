import AllotConfiguration

/// Text from outside in GitHub's Markdown, in a cell of a table or elsewhere: no character of it means anything to
/// Markdown or HTML, or mentions an account. `Sendable`.
struct MarkdownText: Sendable, CustomStringConvertible {
    /// The text.
    let description: String

    /// Escapes a text.
    init(_ text: String) {
        description = PrintableText(text).description.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "@" {
                // A backslash does not stop GitHub from mentioning an account.
                result += "&#64;"
                return
            }
            if "\\`*_{}[]<>|#&~$".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
