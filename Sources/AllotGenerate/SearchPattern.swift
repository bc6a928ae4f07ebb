import Foundation

/// Turns patterns that may match anywhere in a text into patterns that match the whole text.
enum SearchPattern {
    static func whole(_ pattern: String) -> String { isAnchored(pattern) ? pattern : "(?s:.*)(?:\(pattern))(?s:.*)" }

    /// Whether a pattern certainly begins at the start and ends at the end of the text.
    private static func isAnchored(_ pattern: String) -> Bool {
        let inner = pattern.dropFirst().dropLast()
        // Alternatives may have one anchor each; escapes and groups with options are not examined.
        return pattern.hasPrefix("^") && pattern.hasSuffix("$") && pattern.utf8.count > 1
            && !inner.contains("|") && !inner.hasSuffix("\\") && !inner.contains("(?")
    }

    /// Whether a pattern matches a text in the client. Returns `false` for a pattern that the client cannot read.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let expression = try? NSRegularExpression(pattern: "(?:\(pattern))\\z")
        else { return false }
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: range) != nil
    }
}
