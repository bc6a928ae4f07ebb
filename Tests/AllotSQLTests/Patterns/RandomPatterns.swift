import TestSupport

@testable import AllotCore

/// Patterns of the syntax that engines share, and texts that are hard on them.
struct RandomPatterns {
    private var random: SeededGenerator
    private var characters = RandomPatterns.characters

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    /// Few letters, so that patterns and texts meet; beside them what engines differ about.
    private static let characters = [
        "a", "a", "b", "b", "B", "c", "k", "K", "\u{212a}", "s", "S", "\u{17f}", "_", "1", "0", " ", "-", "é", "É",
        "ß", "ẞ", "σ", "ς", "ǆ", "ǅ", "ı", "İ", "i", "I", "😀", "𐐀", "𐐨", "\u{301}", "\u{345}", "'", "]", "&",
        "\n", "\r", "\t", "\u{b}", "\u{85}", "\u{2028}", "\u{fffd}", "\u{10ffff}", "\u{7f}", "\u{80}",
    ]

    /// Texts that every pattern is tried on.
    static let fixedTexts = [
        "", "a", "b", "ab", "ba", "aab", "abab", "aaaa", "A", "K", "\u{212a}", "\u{17f}", "s", "S", "_", "1", "10",
        "a1", "\n", "a\n", "\na", "a\nb", "a\n\n", "a\r\n", "\r", "a\r", "a\u{2028}", "\u{85}", "a\u{85}b", "\u{b}",
        "\t", "é", "aé", "éa", "aéa", "é é", "É", "e\u{301}", "\u{301}", "😀", "a😀", "😀a", "a😀b", "😀😀", "\u{10ffff}",
        " ", " a", "a ", "a b", "a-b", "--", "]", "[", "^", "&&", "'", "\\", "{", "a{,2}", "(?:a)", "***:a", "𐐀𐐨",
    ]

    mutating func text() -> String {
        (0..<random.number(0...9)).map { _ in random.pick(characters) }.joined()
    }

    mutating func pattern() -> String {
        characters = oneIn(2) ? ["a", "b", "c"] : Self.characters
        // Patterns without anchors lose much of themselves before they are written.
        let pattern = choice(depth: 3)
        let flags = oneIn(4) ? random.pick(["(?i)", "(?s)", "(?is)"]) : ""
        return flags
            + (oneIn(2) ? random.pick(["^(?:\(pattern))$", "\\A(?:\(pattern))\\z", "a(?:\(pattern))b"]) : pattern)
    }

    /// A text that a pattern matches if its assertions hold, with a small change now and then.
    mutating func text(for pattern: PortablePattern) -> String {
        var text = Array(sample(of: pattern).unicodeScalars)
        if oneIn(3) {
            text.insert(contentsOf: random.pick(characters).unicodeScalars, at: random.number(0...text.count))
        }
        if oneIn(3), !text.isEmpty { text.remove(at: random.number(0...text.count - 1)) }
        return String(String.UnicodeScalarView(text))
    }

    private mutating func sample(of pattern: PortablePattern) -> String {
        switch pattern {
        case .assertion: return ""
        case .scalar(let set):
            guard !set.isEmpty else { return "" }
            let range = random.pick(set.ranges)
            let number = oneIn(2) ? range.lowerBound : UInt32.random(in: range, using: &random)
            return Unicode.Scalar(number).map { String($0) } ?? ""
        case .sequence(let parts): return parts.map { sample(of: $0) }.joined()
        case .choice(let branches): return sample(of: random.pick(branches))
        case .repetition(let body, let minimum, let maximum):
            let count = random.number(minimum...min(maximum ?? .max, minimum + 3))
            return (0..<count).map { _ in sample(of: body) }.joined()
        }
    }

    private mutating func oneIn(_ number: Int) -> Bool {
        random.number(0...number - 1) == 0
    }

    private mutating func choice(depth: Int) -> String {
        let count = oneIn(3) ? random.number(2...4) : 1
        return (0..<count).map { _ in sequence(depth: depth) }.joined(separator: "|")
    }

    private mutating func sequence(depth: Int) -> String {
        let count = oneIn(12) ? 0 : random.number(1...4)
        return (0..<count).map { _ in repeated(depth: depth) }.joined()
    }

    private mutating func repeated(depth: Int) -> String {
        let atom = atom(depth: depth)
        guard oneIn(3) else { return atom }
        let bounds = [
            "*", "+", "?", "*", "+", "?", "{2}", "{0}", "{1,}", "{2,}", "{0,2}", "{1,3}", "{0,0}",
        ]
        let rare = oneIn(12) ? ["{255}", "{0,254}", "{200,}", "{3,70}"] : bounds
        return atom + random.pick(rare) + (oneIn(5) ? "?" : "")
    }

    private mutating func atom(depth: Int) -> String {
        switch random.number(0...19) {
        case 0..<8: literal()
        case 8..<11: bracketedClass()
        case 11, 12: random.pick([".", "\\d", "\\D", "\\s", "\\S", "\\w", "\\W", "."])
        case 13: random.pick(["^", "$", "\\A", "\\z", "\\b", "\\b"])
        case _ where depth > 0: group(depth: depth)
        default: literal()
        }
    }

    private mutating func group(depth: Int) -> String {
        let name = "(?P<name\(random.number(0...999_999))>"
        return random.pick(["(", "(?:", name, "(?s:", "(?:", "("]) + choice(depth: depth - 1) + ")"
    }

    private mutating func literal() -> String {
        let escaped = [
            "\\.", "\\n", "\\t", "\\x41", "\\x{1F600}", "\\x{e9}", "\\x00", "\\-", "\\'", "\\\\", "\\v", "\\a", "\\f",
        ]
        return oneIn(5) ? random.pick(escaped + ["\\r", "\\{", "]", "}"]) : random.pick(characters)
    }

    private mutating func bracketedClass() -> String {
        let count = random.number(1...3)
        let start = oneIn(3) ? "[^" : "["
        return start + (0..<count).map { _ in member() }.joined() + random.pick(["]", "]", "]", "-]"])
    }

    private mutating func member() -> String {
        switch random.number(0...10) {
        case 1: random.pick(["\\d", "\\D", "\\s", "\\S", "\\w", "\\W"])
        case 2:
            random.pick([
                "a-c", "A-Z", "k-s", "\\x00-\\x{10ffff}", "à-ÿ", "\u{80}-\u{10ffff}", "\\x{d7ff}-\\x{e000}", "!-/",
                "Α-ω",
            ])
        case 3: random.pick(["\\[", "&\\&", "\\^", "\\]", "\\-", "\\\\", "\\n", "\\x{212a}", "#", "\\x00"])
        default: random.pick(characters.filter { $0 != "-" })
        }
    }
}
