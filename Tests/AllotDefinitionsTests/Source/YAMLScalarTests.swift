import Testing

@testable import AllotDefinitions

struct YAMLScalarTests {
    @Test(
        "JSON's literals are read as their types",
        arguments: [
            ("true", "true"), ("false", "false"), ("null", "null"), ("~", "null"),
            ("", "null"), ("# only a comment", "null"),
            ("0", "number 0"), ("-0", "number -0"), ("12", "number 12"), ("2.50", "number 2.50"),
            ("-1.5e10", "number -1.5e10"), ("1E+400", "number 1E+400"), ("1e-7", "number 1e-7"),
            ("123456789012345678901234567890", "number 123456789012345678901234567890"),
        ])
    func literals(text: String, expected: String) {
        #expect(content(text) == expected)
    }

    @Test(
        "Everything else without quotes is text",
        arguments: [
            "NO", "no", "on", "off", "yes", "y", "True", "TRUE", "False", "Null", "NULL", "2026-11-21",
            "2026-10-01T00:00:00Z", "0x10", "0o7", "0b1", ".5", "5.", "1_000", "007", "-007", "+1", "--1", "1e", "1e+",
            "1.e5", ".inf", "-.inf", ".nan", "Infinity", "1:30", "1a", "1 2", "80%", "0..<5", "=", "١٢",
        ])
    func plainText(text: String) {
        #expect(content(text) == "text \(text)")
    }

    @Test("Quoted literals are text", arguments: ["true", "null", "~", "", "12", "<<", "*a", "&a", "!a"])
    func quotedIsText(text: String) {
        #expect(content("'\(text)'") == "text \(text)")
        #expect(content("\"\(text)\"") == "text \(text)")
    }

    @Test("Block literals are text")
    func blockTextIsText() {
        #expect(content("|-\n  12") == "text 12")
        #expect(content(">-\n  true\n  false") == "text true false")
        #expect(content("|\n  *a\n  &b: [") == "text *a\n&b: [")
    }

    /// The content of a value, as `outline` writes it.
    private func content(_ value: String) -> String? {
        guard case .map(let entries) = parse("a: \(value)").root?.content, let node = entries.first?.value else {
            return nil
        }
        return String(outline(node).dropFirst("\(node.position) ".count))
    }
}
