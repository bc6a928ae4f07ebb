/// A part of a regular expression of Rust's `regex` crate.
indirect enum RustPatternNode {
    case literal(Unicode.Scalar)
    case anyCharacter
    /// One character of a set, in RE2's syntax.
    case set(String)
    case start, end
    /// `\b`, about all of Unicode.
    case wordBoundary
    /// Flags such as `(?i)`, for what follows.
    case flags(String)
    /// A group with what it begins with: `(`, `(?:`, `(?i:`.
    case group(String, RustPatternNode)
    /// Repeated at least `minimum` times; the suffix is what says so.
    case repeated(RustPatternNode, minimum: Int, suffix: String)
    case sequence([RustPatternNode])
    case choice([RustPatternNode])

    /// A word character, as Unicode defines it for regular expressions.
    static let word =
        #"[\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}"#
        + #"\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}]"#
    static let notWord = "[^" + word.dropFirst()

    /// The parts of a sequence, or this part.
    var elements: [RustPatternNode] {
        if case .sequence(let parts) = self { parts } else { [self] }
    }

    /// Whether it is `.*`.
    var takesAnything: Bool {
        if case .repeated(.anyCharacter, 0, let suffix) = self { suffix.first == "*" } else { false }
    }

    /// The pattern in RE2's syntax.
    var text: String {
        switch self {
        case .literal(let scalar): Self.text(of: scalar)
        case .anyCharacter: "."
        case .set(let text), .flags(let text): text
        case .start: "^"
        case .end: "$"
        case .wordBoundary: "\\b"
        case .group(let opening, let part): "\(opening)\(part.text))"
        case .repeated(let part, _, let suffix): part.text + suffix
        case .sequence(let parts): parts.map(\.text).joined()
        case .choice(let parts): parts.map(\.text).joined(separator: "|")
        }
    }

    static func text(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", ".", "+", "*", "?", "(", ")", "|", "[", "]", "{", "}", "^", "$": "\\\(scalar)"
        case "\u{20}"..."\u{7E}": String(scalar)
        case "\u{A1}"...: String(scalar)
        default: "\\x{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether a text can match of which each character satisfies `canMatch` at the literal or set that takes it.
    func canMatch(_ canMatch: (RustPatternNode) -> Bool) -> Bool {
        switch self {
        case .literal, .set: canMatch(self)
        case .anyCharacter, .start, .end, .wordBoundary, .flags: true
        case .group(_, let part): part.canMatch(canMatch)
        case .repeated(let part, let minimum, _): minimum == 0 || part.canMatch(canMatch)
        case .sequence(let parts): parts.allSatisfy { $0.canMatch(canMatch) }
        case .choice(let parts): parts.contains { $0.canMatch(canMatch) }
        }
    }

    /// How often every match has a character at least.
    func leastCount(of scalar: Unicode.Scalar) -> Int {
        switch self {
        case .literal(let literal): literal == scalar ? 1 : 0
        case .anyCharacter, .set, .start, .end, .wordBoundary, .flags: 0
        case .group(_, let part): part.leastCount(of: scalar)
        case .repeated(let part, let minimum, _): min(minimum, 2) * part.leastCount(of: scalar)
        case .sequence(let parts): parts.reduce(0) { $0 + $1.leastCount(of: scalar) }
        case .choice(let parts): parts.map { $0.leastCount(of: scalar) }.min() ?? 0
        }
    }

    /// Whether a word boundary is anywhere in it.
    var hasWordBoundary: Bool {
        switch self {
        case .wordBoundary: true
        case .literal, .anyCharacter, .set, .start, .end, .flags: false
        case .group(_, let part), .repeated(let part, _, _): part.hasWordBoundary
        case .sequence(let parts), .choice(let parts): parts.contains(where: \.hasWordBoundary)
        }
    }
}
