import AllotCore

/// Text of definitions and units, shortened and capitalised for pages.
package enum PageText {
    /// The text with a capital letter at its start, unless it starts with a name such as `user_id`.
    package static func capitalised(_ text: String) -> String {
        let isWord = text.prefix { !$0.isWhitespace }.allSatisfy { $0.isLowercase || $0.isPunctuation && $0 != "_" }
        return isWord ? text.prefix(1).uppercased() + text.dropFirst() : text
    }

    static func seconds(_ instant: Instant) -> String { Instant(seconds: instant.seconds).description }

    /// A text for a row of a list: its first line, cut if it is long.
    package static func short(_ text: String, atMost limit: Int = 120) -> String {
        let line = text.prefix { !$0.isNewline }
        let isWhole = line.endIndex == text.endIndex
        let shown = line.prefix(limit)
        return shown.endIndex == line.endIndex && isWhole ? String(shown) : shown.prefix(limit - 1) + "…"
    }
}
