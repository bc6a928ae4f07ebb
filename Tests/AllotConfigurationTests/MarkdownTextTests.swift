import AllotConfiguration
import Testing

struct MarkdownTextTests {
    @Test(
        "No character of a text means anything to Markdown",
        arguments: [
            ("a*b_c", #"a\*b\_c"#), ("*\u{301}", "\\*\u{301}"), ("<b>&amp;", #"\<b\>\&amp;"#), ("@team", "&#64;team"),
            ("$x$", #"\$x\$"#), ("a\n|", #"a\\n\|"#),
        ])
    func texts(text: String, markdown: String) {
        #expect("\(MarkdownText(text))" == markdown)
    }

    @Test(
        "Code ends where the text does",
        arguments: [
            ("x", "`x`"), ("a`b", "`` a`b ``"), ("``\u{301}", "``` ``\u{301} ```"), ("a|b", "`a¦b`"),
            ("|\u{301}", "`¦\u{301}`"), ("*", "`*`"),
        ])
    func code(text: String, markdown: String) {
        #expect("\(MarkdownText(code: text))".unicodeScalars.elementsEqual(markdown.unicodeScalars))
    }
}
