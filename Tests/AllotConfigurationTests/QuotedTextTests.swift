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
        #expect(
            PrintableText(long, atMost: 3).description == "xxx…" && PrintableText("xxx", atMost: 3).description == "xxx"
        )
        let limits = (PrintableText.limit, PrintableText.lineLimit)
        #expect(PrintableText(long).description == "\(String(repeating: "x", count: limits.0))…")
        #expect(PrintableText(line: long).description == "\(String(repeating: "x", count: limits.1))…")
        #expect(MarkdownText(long).description == PrintableText(long).description)
        #expect(MarkdownText(line: long).description == PrintableText(line: long).description)
        #expect(MarkdownText(code: long).description == "`\(PrintableText(long))`")
        let lines = PrintableText(lines: "a\u{1B}\n\(long)\r\nb").description
        #expect(lines.hasPrefix("a\\u001B\nxxx") && lines.utf8.count < 5000)
    }
}
