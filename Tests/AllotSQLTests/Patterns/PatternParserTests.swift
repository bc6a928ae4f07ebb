import AllotCore
import TestSupport
import Testing

@testable import AllotSQL

struct PatternParserTests {
    private static func pattern(_ text: String) throws -> Pattern {
        try Pattern(RegularExpression(text, ignoresCase: false)).simplified()
    }

    private static func literal(_ text: String) -> Pattern {
        .sequence(text.unicodeScalars.map { .scalar(ScalarSet($0)) })
    }

    @Test(
        "All notations of a literal have the same meaning",
        arguments: [
            "\\Qab\\E", "(?:a)(b)", "(?P<name>ab)", "a(?i)(?-i)b", "\\x61\\x{62}", "\\141\\142", "(?U)ab", "a{1}b",
            "[a][b]", "\\Qab",
        ])
    func waysToWriteLiterals(_ text: String) throws {
        #expect(try Self.pattern(text) == Self.literal("ab"))
    }

    @Test(
        "Text that only resembles syntax is literal",
        arguments: [
            ("\\.\\-\\]\\'", ".-]'"), ("a{,2}", "a{,2}"), ("a{01}", "a{01}"), ("a{1", "a{1"), ("x{a}", "x{a}"),
            ("}]", "}]"), ("\\Q*\\\\E\\.", "*\\."), ("\\a\\f\\n\\r\\t\\v", "\u{7}\u{c}\n\r\t\u{b}"), ("\\08", "\08"),
            ("\\1234", "S4"), ("\\x41B", "AB"),
        ])
    func literalText(_ text: String, literal: String) throws {
        #expect(try Self.pattern(text) == Self.literal(literal))
    }

    @Test(
        "Classes contain the same characters as in RE2",
        arguments: [
            ("[a-c]", [0x61...0x63]), ("[]a]", [0x5d...0x5d, 0x61...0x61]), ("[a-]", [0x2d...0x2d, 0x61...0x61]),
            ("[--/]", [0x2d...0x2f]), ("[^\\x01-\\x{10ffff}]", [0...0]), ("[[:digit:]_]", [0x30...0x39, 0x5f...0x5f]),
            ("[[=a=]", [0x3d...0x3d, 0x5b...0x5b, 0x61...0x61]),
            ("[[:alpha]", [0x3a...0x3a, 0x5b...0x5b, 0x61...0x61, 0x68...0x68, 0x6c...0x6c, 0x70...0x70]),
            ("\\s", [0x09...0x0a, 0x0c...0x0d, 0x20...0x20]), ("[[:space:]]", [0x09...0x0d, 0x20...0x20]),
            ("[^\\D]", [0x30...0x39]), ("[[:^ascii:]]", [0x80...0xd7ff, 0xe000...0x10ffff]),
            ("(?s).", [0...0xd7ff, 0xe000...0x10ffff]),
            ("[\\x{d7ff}-\\x{e000}]", [0xd7ff...0xd7ff, 0xe000...0xe000]),
            (
                "(?i)[[:^alpha:]k]",
                [0...0x40, 0x4b...0x4b, 0x5b...0x60, 0x6b...0x6b, 0x7b...0x17e, 0x180...0xd7ff, 0xe000...0x10ffff]
            ),
        ])
    func classes(_ text: String, ranges: [ClosedRange<UInt32>]) throws {
        #expect(try Self.pattern(text) == .scalar(ScalarSet(ranges)))
    }

    @Test(
        "Assertions depend on the flags in effect",
        arguments: [
            ("^", .textStart), ("$", .textEnd), ("\\A", .textStart), ("\\z", .textEnd), ("(?m)^", .lineStart),
            ("(?m)$", .lineEnd), ("(?m)(?-m)$", .textEnd), ("(?m:(?i))$", .textEnd), ("(?m)\\A", .textStart),
            ("\\b", .wordBoundary), ("\\B", .noWordBoundary),
        ] as [(String, Pattern.Assertion)])
    func assertions(_ text: String, assertion: Pattern.Assertion) throws {
        #expect(try Self.pattern(text) == .assertion(assertion))
    }

    @Test("Flags apply to the end of their group, not of their branch")
    func flagsEndWithTheirGroupAndNotWithTheirBranch() throws {
        let either = Pattern.scalar(ScalarSet([0x42...0x42, 0x62...0x62]))
        let small = Pattern.scalar(ScalarSet("b"))
        #expect(
            try Self.pattern("(?:\\d(?i)|bb)b")
                == .sequence([
                    .choice([.scalar(ScalarSet([0x30...0x39])), .sequence([either, either])]), small,
                ]))
    }

    /// RE2 repeats what stands before a switch of flags.
    @Test("A repetition after flags applies to the pattern before them")
    func repetitionAfterFlags() throws {
        #expect(
            try Self.pattern("ab(?i)*")
                == .sequence([
                    .scalar(ScalarSet("a")), .repetition(.scalar(ScalarSet("b")), minimum: 0, maximum: nil),
                ]))
    }

    @Test(
        "Simplifying takes each nested group once, and leaves a simplified pattern as it is", .mayHang,
        arguments: [("(?:", "|bb)c"), ("(?:", "|b?)*c"), ("(?:a", ")*d"), ("(?:", "|(?:b?c)*)*d")])
    func nestedGroups(_ start: String, _ end: String) throws {
        // Twice for each would take 2 to the power of 45.
        let pattern = try Self.pattern((0..<45).reduce("a") { text, _ in start + text + end })
        #expect(pattern.simplified() == pattern)
    }

    @Test(
        "Syntax that other engines do not support is an error",
        arguments: [
            ("\\p{Greek}", "`\\p{Greek}` is a Unicode class"), ("\\pN", "`\\pN` is a Unicode class"),
            ("[a\\P{^Lu}]", "`\\P{^Lu}` is a Unicode class"), ("a\\C", "`\\C` is one byte"),
            ("a|(?i:a)", "alternatives have the same letter"),
            ("xa|(?i)b|(?:Xé|É)", "alternatives have the same letter"),
            (
                String(repeating: "(", count: 101) + String(repeating: ")", count: 101),
                "groups are nested more than 100 deep"
            ),
        ])
    func refusals(_ text: String, reason: String) throws {
        let expression = try RegularExpression(text, ignoresCase: false)
        #expect {
            try Pattern(expression)
        } throws: { error in
            (error as? Unsupported)?.reason.hasPrefix(reason) == true
        }
    }

    /// The parser receives only patterns that RE2 accepts. Others must not crash it.
    @Test(
        "Invalid patterns are an error",
        arguments: [
            ")", "(", "(?", "(?i", "(?<", "(?P<a", "(?Z)", "*", "|+", "[", "[a", "[^", "[]", "[b-a]", "[a-\\d]",
            "[[:x:]]", "\\", "\\x", "\\x{", "\\x{g}", "\\x{+1}", "\\x{110000}", "\\8", "\\e", "\\é", "\\p", "\\p{",
            "a{2,1}", "a{1001}", "a{1001,}",
        ])
    func invalidPatternsAreRefused(_ text: String) {
        #expect(throws: Unsupported.self) {
            var parser = PatternParser(text, ignoresCase: true)
            _ = try parser.pattern()
        }
    }
}
