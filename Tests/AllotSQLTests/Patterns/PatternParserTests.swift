import TestSupport
import Testing

@testable import AllotCore

struct PatternParserTests {
    private static func pattern(_ text: String) throws -> PortablePattern {
        try PortablePattern(RegularExpression(text, ignoresCase: false)).simplified()
    }

    private static func literal(_ text: String) -> PortablePattern {
        .sequence(text.unicodeScalars.map { .scalar(ScalarSet($0)) })
    }

    @Test(
        "All notations of a literal have the same meaning",
        arguments: [
            ("(?:a)(b)", "ab"), ("(?P<name>ab)", "ab"), ("\\x61\\x{62}", "ab"), ("a{1}b", "ab"), ("[a][b]", "ab"),
            ("\\.\\-\\]\\'", ".-]'"), ("}]", "}]"), ("\\a\\f\\n\\r\\t\\v", "\u{7}\u{c}\n\r\t\u{b}"), ("\\x41B", "AB"),
        ])
    func literals(_ text: String, literal: String) throws {
        #expect(try Self.pattern(text) == Self.literal(literal))
    }

    @Test(
        "Classes contain the same characters as in RE2",
        arguments: [
            ("[a-c]", [0x61...0x63]), ("[]a]", [0x5d...0x5d, 0x61...0x61]), ("[a-]", [0x2d...0x2d, 0x61...0x61]),
            ("[^\\x01-\\x{10ffff}]", [0...0]), ("[\\d-_]", [0x2d...0x2d, 0x30...0x39, 0x5f...0x5f]),
            ("\\s", [0x09...0x0a, 0x0c...0x0d, 0x20...0x20]), ("[^\\D]", [0x30...0x39]),
            ("[\\s\\S]", [0...0xd7ff, 0xe000...0x10ffff]), ("(?s).", [0...0xd7ff, 0xe000...0x10ffff]),
            ("(?s:.)", [0...0xd7ff, 0xe000...0x10ffff]),
            ("(?s:.)|.", [0...0xd7ff, 0xe000...0x10ffff]), ("(?:(?s:a)|.)", [0...9, 0xb...0xd7ff, 0xe000...0x10ffff]),
            ("[\\x{d7ff}-\\x{e000}]", [0xd7ff...0xd7ff, 0xe000...0xe000]),
            ("(?i)[j-l]", [0x4a...0x4c, 0x6a...0x6c, 0x212a...0x212a]),
        ])
    func classes(_ text: String, ranges: [ClosedRange<UInt32>]) throws {
        #expect(try Self.pattern(text) == .scalar(ScalarSet(ranges)))
    }

    /// Letters of ASCII have the same cases in RE2, and scalars beyond it that are accepted have one case only.
    @Test("Case is ignored as in RE2")
    func casesAreRE2s() throws {
        let letters = try RegularExpression("\\A[a-z]\\z", ignoresCase: true)
        let expected = ScalarSet([0x41...0x5a, 0x61...0x7a, 0x17f...0x17f, 0x212a...0x212a])
        #expect(try Self.pattern("(?i)[a-z]") == .scalar(expected))
        let scalars = ScalarSet([0...0x1_ffff]).ranges.joined().compactMap { Unicode.Scalar($0) }
        let withCase = scalars.filter { $0.properties.changesWhenCaseMapped || $0.properties.changesWhenCaseFolded }
        let members = ScalarSet(withCase.map { $0.value...$0.value }).ranges.map {
            "\\x{\(String($0.lowerBound, radix: 16))}-\\x{\(String($0.upperBound, radix: 16))}"
        }
        let cased = try RegularExpression("[\(members.joined())]", ignoresCase: true)
        let known = Set(withCase)
        for scalar in scalars {
            let isFound = letters.matches(String(scalar)) != expected.contains(scalar)
            if isFound || !known.contains(scalar) && cased.matches(String(scalar)) { Issue.record("\(scalar.value)") }
        }
    }

    @Test(
        "A construct that engines read differently is refused by its name",
        arguments: [
            ("\\p{Greek}", "the escape `\\p`"), ("[a\\P{^Lu}]", "the escape `\\P`"), ("a\\C", "the escape `\\C`"),
            ("a\\B", "the escape `\\B`"), ("\\Qa\\E", "the escape `\\Q`"), ("\\141", "the escape `\\1`"),
            ("[[:alpha:]]", "`[` in a class"), ("[a&&b]", "`&&` in a class"), ("[--/]", "`--` in a class"),
            ("a|(?i:a)", "a group with `(?i`"), ("(?m)^a", "a group with `(?m`"), ("a(?s)", "a group with `(?s`"),
            ("a{,2}", "a `{` that begins no"), ("a{01}", "a `{` that begins no"), ("{a", "a `{` that repeats nothing"),
            ("(a*)*", "a repetition of a group that can be empty"), ("(?:a|\\b)+", "a repetition of a group"),
            ("^*", "a repetition of `^`"), ("(?i)ü", "letters beyond ASCII"), ("(?i)[à-ÿ]", "letters beyond ASCII"),
            (
                String(repeating: "(", count: 101) + String(repeating: ")", count: 101),
                "groups that are nested more than 100 deep"
            ),
        ])
    func refusals(_ text: String, reason: String) throws {
        let expression = try RegularExpression(text, ignoresCase: false)
        #expect {
            try PortablePattern(expression)
        } throws: { error in
            (error as? PortablePattern.Refusal)?.reason.hasPrefix(reason) == true
        }
    }

    @Test(
        "Invalid patterns are an error",
        arguments: [
            ")", "(", "(?", "(?i", "(?<", "(?P<a", "(?Z)", "*", "|+", "[", "[a", "[^", "[]", "[b-a]", "[a-\\d]", "a**",
            "\\", "\\x", "\\x{", "\\x{g}", "\\x{+1}", "\\x{110000}", "\\8", "\\e", "\\é", "\\p", "a{2,1}", "a{1001}",
            "a{1001,}", "(?<=a)b", "(?=a)", "(a)\\1", "[[a]", "\u{0}(",
        ])
    func invalidPatternsAreRefused(_ text: String) {
        for language in [PatternParser.Language.re2, .python, .rust] {
            #expect(throws: PortablePattern.Refusal.self) {
                var parser = PatternParser(text, language, ignoresCase: true)
                _ = try parser.pattern()
            }
        }
    }

    @Test(
        "Simplifying takes each nested group once, and leaves a simplified pattern as it is", .mayHang,
        arguments: [("(?:", "|bb)c"), ("(?:", "|b?)c"), ("(?:a", ")*d")])
    func nestedGroups(_ start: String, _ end: String) throws {
        // Twice for each would take 2 to the power of 45.
        let pattern = try Self.pattern((0..<45).reduce("a") { text, _ in start + text + end })
        #expect(pattern.simplified() == pattern)
    }
}
