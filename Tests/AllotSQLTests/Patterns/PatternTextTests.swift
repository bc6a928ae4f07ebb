import AllotCore
import TestSupport
import Testing

private let word = "[0-9A-Z_a-z]"
private let boundary = "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))"
private let anyInLine = "[\\x{0}-\\x{9}\\x{b}-\\x{d7ff}\\x{e000}-\\x{10ffff}]"

/// The texts that are written for each engine.
struct PatternTextTests {
    private static func text(_ pattern: String, _ syntax: PatternSyntax, ignoresCase: Bool = false) throws -> String {
        try PortablePattern(RegularExpression(pattern, ignoresCase: ignoresCase)).text(for: syntax)
    }

    @Test(
        "Patterns are translated to each syntax",
        arguments: [
            ("", "", ""),
            ("^(DE|AT)$", "\\A(?:DE|AT)\\z", "\\A(?:DE|AT)\\Z"),
            ("^\\d+\\.\\d$", "\\A[0-9]++\\x{2e}[0-9]\\z", "\\A[0-9]+\\u002e[0-9]\\Z"),
            ("a😀'", "a\\x{1f600}\\x{27}", "a\\U0001f600\\u0027"),
            (
                "[^\\n]", "[\\x{0}-\\x{9}\\x{b}-\\x{d7ff}\\x{e000}-\\x{10ffff}]",
                "[\\u0001-\\u0009\\u000b-\\ud7ff\\ue000-\\U0010ffff]"
            ),
            ("[&\\]\\[^-]", "[\\x{26}\\x{2d}\\x{5b}\\x{5d}\\x{5e}]", "[\\u0026\\u002d\\u005b\\u005d\\u005e]"),
            ("[^\\x00-\\x{10ffff}]", "\\za", "\\Za"),
            ("\\x00", "\\x{0}", "\\Za"),
            ("^a{255}$", "\\Aa{255}\\z", "\\Aa{255}\\Z"), ("^a{0,25}$", "\\Aa{0,25}+\\z", "\\Aa{0,25}\\Z"),
            ("a\\b", "a\(boundary)", "a\(boundary)"),
            ("^(?:ab|c)*$", "\\A(?:ab|c)*+\\z", "\\A(?:ab|c)*\\Z"),
            ("^(?:ab|c)*d$", "\\A(?:ab|c)*+d\\z", "\\A(?:ab|c)*d\\Z"),
        ])
    func writes(_ pattern: String, java: String, postgresql: String) throws {
        #expect(try Self.text(pattern, .java) == java)
        #expect(try Self.text(pattern, .postgresql) == postgresql)
    }

    @Test(
        "Parts that do not affect the result are removed",
        arguments: [
            (".*foo.*", "foo"), ("a*b+", "b"), ("a{3,7}", "a{3}"), ("a|", ""),
            ("(a|b|)c", "c"), ("^(a|)b", "\\Aa?b"), ("^(?:a|b|[c-e])$", "\\A[a-e]\\z"), ("^a{0}$", "\\A\\z"),
            ("^(?:^)?a", "\\Aa"), ("^(?:(a))+$", "\\Aa++\\z"),
        ])
    func simplifies(_ pattern: String, to java: String) throws {
        #expect(try Self.text(pattern, .java) == java)
    }

    @Test(
        "Letters without case become classes",
        arguments: [
            ("ks", "[Kk\\x{212a}][Ss\\x{17f}]"), ("1_日", "1_\\x{65e5}"),
            ("^[^k]$", "\\A[\\x{0}-JL-jl-\\x{2129}\\x{212b}-\\x{d7ff}\\x{e000}-\\x{10ffff}]\\z"),
        ])
    func ignoresCase(_ pattern: String, java: String) throws {
        #expect(try Self.text(pattern, .java, ignoresCase: true) == java)
    }

    @Test(
        "Java need not backtrack where the next character decides",
        arguments: [
            ("^[a-z]*-[0-9]*a$", "\\A[a-z]*+\\x{2d}[0-9]*+a\\z"),
            ("^\\d+(\\.\\d+)*$", "\\A[0-9]++(?:\\x{2e}[0-9]++)*+\\z"),
            ("^(?:0\\.?)*[1-9]", "\\A(?:0\\x{2e}?)*+[1-9]"), ("^b[a-z]*c[0-9]*d$", "\\Ab[a-z]*c[0-9]*+d\\z"),
            ("^(?:\\bab|c)*$", "\\A(?:\(boundary)ab|c)*+\\z"), ("a.*b.*c", "a\(anyInLine)*b\(anyInLine)*c"),
        ])
    func sparesBacktracking(_ pattern: String, java: String) throws {
        #expect(try Self.text(pattern, .java) == java)
    }

    @Test(
        "Patterns that could exhaust Java's time or stack are an error",
        arguments: [
            "^(?:ab|ac)*$", "^(?:ab|c)*a$", "^(?:(?:a|aa)*b)*c$", "^(?:a|aa){0,40}b$", "^(?:a|aa){40,}b$",
            "^(?:[a-z]+(?:-[a-z]+)*/?)+$", "x[a-z]*[a-y]*[a-x]*!", "^[a-z]*[a-y]*[a-x]*[a-w]*!$", "^(?:.*,|.*;){0,4}$",
            "a.*b.*c.*d", "x.*(?:ab|c).*(?:ab|c).*(?:ab|c)", "[xy].*y.{0,60}y.{0,60}y.{0,60}z",
            "^" + String(repeating: "(?:a|ab)", count: 39) + "$",
        ])
    func patternsThatExhaustJavaAreErrors(_ pattern: String) throws {
        #expect(throws: PortablePattern.Refusal.self) { try Self.text(pattern, .java) }
        #expect(try !Self.text(pattern, .postgresql).isEmpty)
    }

    @Test("PostgreSQL's bounds end at 255", arguments: ["a{256}b", "a(?:bc){0,300}d", "ab{256,}c"])
    func boundsOfPostgreSQL(_ pattern: String) throws {
        #expect(throws: PortablePattern.Refusal.self) { try Self.text(pattern, .postgresql) }
        #expect(try !Self.text(pattern, .java).isEmpty)
    }

    @Test("Translated patterns are printable ASCII without quotation marks", arguments: 0..<20)
    func textIsPrintableASCIIWithoutQuotationMarks(seed: Int) throws {
        var source = RandomPatterns(seed: seed)
        for _ in 0..<50 {
            guard let expression = try? RegularExpression(source.pattern(), ignoresCase: false),
                let text = try? PortablePattern(expression).text(for: .postgresql)
            else { continue }
            #expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x27 && $0 != 0x22 }, "\(text)")
        }
    }
}
