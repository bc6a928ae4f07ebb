import AllotCore
import TestSupport
import Testing

@testable import AllotSQL

/// What is written for whom.
struct PatternTextTests {
    private static func text(_ pattern: String, _ syntax: PatternSyntax, ignoresCase: Bool = false) throws -> String {
        try Pattern(RegularExpression(pattern, ignoresCase: ignoresCase)).text(for: syntax)
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
            ("(?m)^a$", "(?:\\A|(?<=\\x{a}))a(?:\\z|(?=\\x{a}))", "(?:\\A|(?<=\\u000a))a(?:\\Z|(?=\\u000a))"),
            ("[&\\]\\[^-]", "[\\x{26}\\x{2d}\\x{5b}\\x{5d}\\x{5e}]", "[\\u0026\\u002d\\u005b\\u005d\\u005e]"),
            ("[^\\x00-\\x{10ffff}]", "\\za", "\\Za"),
            ("\\x00", "\\x{0}", "\\Za"),
            ("\\x{d800}|a", "a", "a"),
            ("^a{300}$", "\\Aa{300}\\z", "\\Aa{255}a{45}\\Z"),
            ("^a{0,300}$", "\\Aa{0,300}+\\z", "\\Aa{0,255}a{0,45}\\Z"),
            ("^a{200,300}$", "\\Aa{200,300}+\\z", "\\Aa{200}a{0,100}\\Z"),
            ("^a{256,}$", "\\Aa{256,}+\\z", "\\Aa{255}a+\\Z"),
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
            // What stands at an edge and may be empty does not matter.
            (".*foo.*", "foo"), ("a*b+", "b"), ("(a*)*b", "b"), ("a{3,7}", "a{3}"), ("a|", ""), ("(a|b|)c", "c"),
            // Repetitions of repetitions.
            ("^(a+)+$", "\\Aa++\\z"), ("^(|a)+$", "\\Aa*+\\z"), ("^(?:a*b*)*$", "\\A[ab]*+\\z"),
            ("^(?:a?){3}$", "\\Aa{0,3}+\\z"), ("^(?:a{0,5})*$", "\\Aa*+\\z"), ("^(?:a+){2,3}$", "\\Aa{2,}+\\z"),
            ("^(?:^)*a(?:$)+", "\\Aa\\z"), ("^(?:a|b|[c-e])$", "\\A[a-e]\\z"), ("^a{0}$", "\\A\\z"),
        ])
    func simplifies(_ pattern: String, to java: String) throws {
        #expect(try Self.text(pattern, .java) == java)
    }

    @Test(
        "Letters without case become classes",
        arguments: [
            ("ks", "[Kk\\x{212a}][Ss\\x{17f}]"), ("1_", "1_"), ("É", "[\\x{c9}\\x{e9}]"),
            ("^[^k]$", "\\A[\\x{0}-JL-jl-\\x{2129}\\x{212b}-\\x{d7ff}\\x{e000}-\\x{10ffff}]\\z"),
            ("σ", "[\\x{3a3}\\x{3c2}\\x{3c3}]"), ("ß", "[\\x{df}\\x{1e9e}]"), ("(?-i)a", "a"), ("ı", "\\x{131}"),
        ])
    func ignoresCase(_ pattern: String, java: String) throws {
        #expect(try Self.text(pattern, .java, ignoresCase: true) == java)
    }

    @Test(
        "Java need not backtrack where the next character decides, or where the first match is enough",
        arguments: [
            // The next character decides.
            ("^[a-z]*-[0-9]*a$", "\\A[a-z]*+\\x{2d}[0-9]*+a\\z"),
            ("(?m)^a*$", "(?:\\A|(?<=\\x{a}))a*+(?:\\z|(?=\\x{a}))"),
            ("ba*\\Bc", "ba*+(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))c"),
            // It does not.
            ("b[a-z]*c[0-9]", "b(?>[a-z]*?c[0-9])"), ("^b[a-z]*c[0-9]*d$", "\\Ab[a-z]*c[0-9]*+d\\z"),
            ("^[a-z]*[a-c]*[a-c]!$", "\\A[a-z]*(?>[a-c]*?[a-c]\\x{21}\\z)"),
            ("^(?:[a-z]*b[a-z]*c|d){2}$", "\\A(?:(?>[a-z]*?b)[a-z]*c|d){2}\\z"),
            // The first match is enough: before a repetition of the same characters, and at the end.
            ("^[a-z]*foo[a-z]*bar$", "\\A(?>[a-z]*?foo)(?>[a-z]*?bar\\z)"),
            ("a[b-y]*c{2}[b-z]+d{3,}", "a(?>[b-y]*?c{2})(?>[b-z]+?d{3})"),
            ("^[a-z]*[a-z]+[a-z]*!$", "\\A(?>[a-z]*?)(?>[a-z]+?)[a-z]*+\\x{21}\\z"),
        ])
    func sparesBacktracking(_ pattern: String, java: String) throws {
        #expect(try Self.text(pattern, .java) == java)
    }

    /// RE2 looks between the bytes of a scalar; those who do not must find the scalar instead.
    @Test("There is no word boundary inside a scalar")
    func noWordBoundaryInsideScalars() throws {
        #expect(try RegularExpression("\\B", ignoresCase: false).matches("é"))
        #expect(try RegularExpression("\\B", ignoresCase: false).matches("aéa"))
        #expect(try !RegularExpression("\\B", ignoresCase: false).matches("a"))
        #expect(try Self.text("\\B", .java).hasSuffix("|[\\x{80}-\\x{d7ff}\\x{e000}-\\x{10ffff}]"))
        #expect(try !Self.text("a\\B", .java).contains("\\x{80}"))
    }

    @Test(
        "Patterns that could exhaust Java's time or stack are an error",
        arguments: [
            "^(?:ab|ac)*$", "^(?:ab|c)*a$", "^(?:(?:a|aa)*b)*c$", "^(?:a|aa){0,40}b$", "^(?:a|aa){40,}b$",
            "^(?:[a-z]+(?:-[a-z]+)*/?)+$", "x[a-z]*[a-y]*[a-x]*!", "^[a-z]*[a-y]*[a-x]*[a-w]*!$", "^(?:.*,|.*;){0,4}$",
            "x.*(?:ab|c).*(?:ab|c).*(?:ab|c)", "x.{0,99}y.{0,99}y.{0,99}y", "[xy].*y.{0,60}y.{0,60}y.{0,60}z",
            "^" + String(repeating: "(?:a|ab)", count: 39) + "$",
        ])
    func patternsThatExhaustJavaAreErrors(_ pattern: String) throws {
        #expect(throws: Unsupported.self) { try Self.text(pattern, .java) }
        #expect(try !Self.text(pattern, .postgresql).isEmpty)
    }

    @Test("Translated patterns are printable ASCII without quotation marks", arguments: 0..<20)
    func textIsPrintableASCIIWithoutQuotationMarks(seed: Int) throws {
        var source = RandomPatterns(SeededGenerator(seed: seed))
        for _ in 0..<50 {
            guard let expression = try? RegularExpression(source.pattern(), ignoresCase: false),
                let pattern = try? Pattern(expression)
            else { continue }
            let text = try pattern.text(for: .postgresql)
            #expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x27 && $0 != 0x22 }, "\(text)")
        }
    }
}
