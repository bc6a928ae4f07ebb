import TestSupport

/// Texts that were made to break out of a statement, or to be read as something else in it.
struct HostileStrings {
    private var dice: SeededGenerator

    init(seed: Int) {
        dice = SeededGenerator(seed: seed)
    }

    /// What lexers, drivers, templates and eyes look for.
    static let pieces: [String] = [
        "'", "''", "'''", "\"", "\"\"", "\"\"\"", "`", "``", "\\", "\\\\", "\\'", "\\\"", "\\`", "\\\n", "\\0", "\\x27",
        "\\u0027", "\\U00000027", "\\047", "\\N", "\\E", "\\Q",
        "--", "-- ", "/*", "*/", "/**/", "//", "#", "# ", "#!", ";", ";--", "\n", "\r", "\r\n", "\t", "\u{b}", "\u{c}",
        "\u{85}", "\u{2028}", "\u{2029}", "\u{1a}", "\u{8}", "\u{1b}[2J", "\u{1}", "\u{7f}", "\u{a0}", "\u{3000}",
        "${x}", "${", "}", "{{x}}", "{{", "}}", "{%", "%}", "{#", "{x:String}", "$$", "$", "$1", "$allot$", "$allot_$",
        "$tag$", ":name", ":1", "?", "??", "%s", "%(x)s", "%", "@p", "@@version", "&x", "&{x}", "!x", "<%", "%>",
        "\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}", "\u{ff07}", "\u{ff02}", "\u{2bc}", "\u{b4}", "\u{2032}",
        "\u{200e}", "\u{200f}", "\u{202a}", "\u{202e}", "\u{2066}", "\u{2069}", "\u{61c}", "\u{200b}", "\u{200d}",
        "\u{2060}", "\u{feff}", "\u{ad}", "\u{fe0f}", "\u{e0041}", "\u{fff9}", "\u{fffd}", "\u{ffff}", "\u{10ffff}",
        "\u{e000}", "\u{301}", "\u{338}", "\u{20dd}", "é", "e\u{301}", "日本", "😀", "👩‍👩‍👧", "İ", "ß", "\u{1f3fb}",
        "' OR '1'='1", "'; DROP TABLE users; --", "\\'; DROP TABLE users; --", "' UNION SELECT 1 --", "') OR ('1'='1",
        "\" FROM x --", "` FROM x --", "'||chr(39)||'", "' 'x", "'\n'x", "E'", "U&'", "X'", "r'", "b'", "N'", "_utf8'",
        "NULL", "null", "TRUE", "\\.", "a", "b c", "x", "0", " ", "", "SELECT", "END", "AS",
    ]

    /// Short ones, each of which has broken something somewhere.
    static let classics: [String] =
        essentials + pieces.filter { !$0.isEmpty }.map { $0 + "\u{301}" } + pieces.map { "a" + $0 + "b" }

    /// The pieces, and a combining mark after each character that quotes or escapes.
    static let essentials: [String] =
        pieces.filter { !$0.isEmpty } + ["'", "\"", "`", "\\", "$", "{", "-", "*", "/"].map { $0 + "\u{338}x" }

    /// A text of some pieces; now and then a very long one.
    ///
    /// - Parameter limit: the most bytes that it may have.
    mutating func next(limit: Int = 1024) -> String {
        let count = dice.chance(0.04) ? dice.number(100...400) : dice.number(1...8)
        let isMonotonous = dice.chance(0.1)
        let piece = dice.pick(Self.pieces)
        var text = ""
        for _ in 0..<count {
            let more = isMonotonous ? piece : dice.pick(Self.pieces)
            guard text.utf8.count + more.utf8.count <= limit else { break }
            text.unicodeScalars.append(contentsOf: more.unicodeScalars)
        }
        return text.isEmpty ? "'" : text
    }
}
