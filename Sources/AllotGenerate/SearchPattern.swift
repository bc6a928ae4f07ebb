import Foundation

/// Patterns of the definitions, which may occur anywhere in text, as those of the client, which match all of it.
enum SearchPattern {
    /// The pattern that matches a whole text in which another occurs.
    static func whole(_ pattern: String) -> String {
        isAnchored(pattern) ? pattern : "(?s:.*)(?:\(pattern))(?s:.*)"
    }

    /// Whether a pattern plainly begins at the start and ends at the end of the text.
    private static func isAnchored(_ pattern: String) -> Bool {
        let inner = pattern.dropFirst().dropLast()
        // Alternatives may have one anchor each, and what is escaped, named or switched is not looked into.
        return pattern.hasPrefix("^") && pattern.hasSuffix("$") && pattern.utf8.count > 1
            && !inner.contains("|") && !inner.hasSuffix("\\") && !inner.contains("(?")
    }

    /// Whether the client finds that a pattern matches a text; not for a pattern that it cannot read.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let expression = try? NSRegularExpression(pattern: "(?:\(pattern))\\z")
        else { return false }
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: range) != nil
    }
}
