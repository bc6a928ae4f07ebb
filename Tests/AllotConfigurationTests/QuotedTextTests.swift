import Testing

@testable import AllotConfiguration

/// Text of files and definitions in messages.
struct QuotedTextTests {
    @Test(
        "Characters that are not seen, break a line or move a cursor are escaped",
        arguments: [
            ("plain", "plain"), ("é 中 🦆 ❤️", "é 中 🦆 ❤️"), ("\u{FEFF}user_id", #"\uFEFFuser_id"#),
            ("a\u{200B}b", #"a\u200Bb"#),
            ("a\u{AD}b", #"a\u00ADb"#), ("a\nb\r\tc", #"a\nb\r\tc"#), ("\u{1B}[31m", #"\u001B[31m"#),
            ("\u{7F}", #"\u007F"#),
            ("\u{9B}2J", #"\u009B2J"#), ("\u{202E}abc", #"\u202Eabc"#), ("\u{2066}", #"\u2066"#),
            ("\u{2028}", #"\u2028"#),
            ("\u{E0041}", #"\uDB40\uDC41"#), ("\u{3164}", #"\u3164"#), ("a\u{34F}", #"a\u034F"#), ("\u{0}", #"\u0000"#),
        ])
    func hidden(text: String, shown: String) {
        #expect(PrintableText(text).description == shown)
        #expect(QuotedText(text).description == "\"\(shown)\"")
    }

    @Test(
        "Joiners stay where Unicode has a use for them",
        arguments: [
            // A family, a coder with a skin tone, the rainbow flag, a heart on fire, a nod to the left and right.
            "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", "\u{1F9D1}\u{1F3FD}\u{200D}\u{1F4BB}",
            "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "\u{1F642}\u{200D}\u{2194}\u{FE0F}",
            // Persian, with a vowel mark too; Urdu; N'Ko.
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "\u{628}\u{64E}\u{200C}\u{647}\u{627}",
            "\u{6A9}\u{6C1}\u{200C}\u{6AF}", "\u{7CA}\u{200C}\u{7CB}",
            // Hindi with both, Sinhala, Bengali, Kannada, a chillu of Malayalam.
            "\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200C}\u{937}",
            "\u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3}", "\u{915}\u{93C}\u{94D}\u{200D}\u{937}",
            "\u{9B0}\u{200D}\u{9CD}\u{9AF}", "\u{CB0}\u{200D}\u{CCD}\u{CAF}", "\u{D28}\u{D4D}\u{200D}",
        ])
    func joinersInUse(text: String) {
        #expect(PrintableText(text).description == text)
        #expect(QuotedText("a \(text) b").description == "\"a \(text) b\"")
        // The rest of the text is not part of it.
        #expect(PrintableText("\(text)\u{200B}").description == #"\#(text)\u200B"#)
    }

    @Test(
        "Joiners that change nothing are escaped, and so is everything else that hides in such texts",
        arguments: [
            ("a\u{200D}b", #"a\u200Db"#), ("a\u{200C}b", #"a\u200Cb"#), ("\u{200D}", #"\u200D"#),
            ("\u{200C}", #"\u200C"#), ("1\u{200D}2", #"1\u200D2"#),
            // Next to one emoji only, twice in a row, between flags, after a skin tone alone.
            ("\u{1F469}\u{200D}", "\u{1F469}\\u200D"), ("\u{1F469}\u{200D}x", "\u{1F469}\\u200Dx"),
            ("\u{1F469}\u{200D}\u{200D}\u{1F467}", "\u{1F469}\\u200D\\u200D\u{1F467}"),
            ("\u{1F1E9}\u{1F1EA}\u{200D}\u{1F1E6}\u{1F1F9}", "\u{1F1E9}\u{1F1EA}\\u200D\u{1F1E6}\u{1F1F9}"),
            ("\u{1F3FD}\u{200D}\u{1F4BB}", "\u{1F3FD}\\u200D\u{1F4BB}"),
            ("\u{1F469}\u{200C}\u{1F467}", "\u{1F469}\\u200C\u{1F467}"),
            // After a letter that does not join the next one, at the end of a word, twice.
            ("\u{627}\u{200C}\u{628}", "\u{627}\\u200C\u{628}"), ("\u{647}\u{200C} ", "\u{647}\\u200C "),
            ("\u{6CC}\u{200C}\u{200C}\u{62E}", "\u{6CC}\\u200C\\u200C\u{62E}"),
            ("\u{6CC}\u{200C}a", "\u{6CC}\\u200Ca"), ("\u{915}\u{200C}\u{937}", "\u{915}\\u200C\u{937}"),
            ("\u{915}\u{94D}\u{200C}", "\u{915}\u{94D}\\u200C"),
            // With a virama on no letter, or on one of another script.
            ("x\u{94D}\u{200D}y", "x\u{94D}\\u200Dy"), ("\u{94D}\u{200D}", "\u{94D}\\u200D"),
            ("x\u{94D}\u{200C}\u{915}", "x\u{94D}\\u200C\u{915}"),
            ("\u{4E2D}\u{94D}\u{200D}", "\u{4E2D}\u{94D}\\u200D"),
            ("\u{4E2D}\u{200D}\u{9CD}", "\u{4E2D}\\u200D\u{9CD}"),
            ("\u{5D0}\u{200D}\u{CCD}", "\u{5D0}\\u200D\u{CCD}"),
            ("\u{645}\u{202E}\u{6CC}\u{200B}\u{62E}\u{2066}", "\u{645}\\u202E\u{6CC}\\u200B\u{62E}\\u2066"),
            ("\u{1F3F4}\u{E0067}\u{E007F}", "\u{1F3F4}\\uDB40\\uDC67\\uDB40\\uDC7F"),
        ])
    func idleJoiners(text: String, shown: String) {
        #expect(PrintableText(text).description == shown)
    }

    @Test("In quotes, quotes, backslashes and unusual spaces are escaped too")
    func quoted() {
        #expect(QuotedText(#"a"b\c"#).description == #""a\"b\\c""#)
        #expect(QuotedText("a\u{A0}b\u{3000}c d").description == #""a\u00A0b\u3000c d""#)
        #expect(PrintableText("a\u{A0}b").description == "a\u{A0}b")
    }

    @Test("Long text is cut, and of several lines each by itself")
    func limits() {
        let long = String(repeating: "x", count: 5_000_000)
        #expect(QuotedText(long).description == "\"\(String(repeating: "x", count: 64))…\"")
        #expect(PrintableText(long, atMost: 3).description == "xxx…")
        #expect(PrintableText("xxx", atMost: 3).description == "xxx")
        let limits = (PrintableText.limit, PrintableText.lineLimit)
        #expect(PrintableText(long).description == "\(String(repeating: "x", count: limits.0))…")
        #expect(PrintableText(line: long).description == "\(String(repeating: "x", count: limits.1))…")
        #expect(MarkdownText(long).description == PrintableText(long).description)
        #expect(MarkdownText(line: long).description == PrintableText(line: long).description)
        #expect(MarkdownText(code: long).description == "`\(PrintableText(long))`")
        let lines = PrintableText(lines: "a\u{1B}\n\(long)\r\nb").description
        #expect(lines.hasPrefix("a\\u001B\nxxx"))
        #expect(lines.utf8.count < 5000)
    }
}
