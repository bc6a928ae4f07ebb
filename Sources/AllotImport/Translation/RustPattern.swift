import AllotConfiguration
import AllotCore

/// A regular expression of Rust's `regex` crate, with which Eppo's and Unleash's engines search texts, as RE2 has it.
///
/// Both are linear in time and share most of their syntax. What differs in meaning is written out (`\d`, `\w` and `\s`
/// are about all of Unicode in Rust, and about ASCII in RE2), and what has no equal is refused.
struct RustPattern {
    /// The reason why a pattern cannot be moved.
    struct Unsupported: Error {
        let reason: String
    }

    /// A pattern without anything special, as a test of a part of the text.
    enum Plain: Equatable {
        case contains(String)
        case startsWith(String)
        case endsWith(String)
        case equals(String)
    }

    /// Which of the numbers that are not text match if they are searched as texts.
    enum Numbers {
        case none, some, all
    }

    /// The pattern in RE2's syntax.
    let text: String
    let plain: Plain?
    private let root: RustPatternNode
    private let expression: RegularExpression

    /// - Parameter ignoresCase: Whether the pattern is searched as if it began with `(?i)`.
    init(_ pattern: String, ignoresCase: Bool = false) throws(Unsupported) {
        var parser = RustPatternParser(pattern)
        root = try parser.pattern()
        plain = ignoresCase ? nil : Self.plain(root)
        text = (ignoresCase ? "(?i)" : "") + root.text
        do {
            expression = try RegularExpression(text, ignoresCase: false)
        } catch {
            throw Unsupported(reason: "the pattern is not valid for RE2 (\(error.reason))")
        }
    }

    /// Whether the pattern occurs in a text.
    func matches(_ text: String) -> Bool {
        expression.matches(text)
    }

    /// Which numbers match, written as Rust writes them: digits, perhaps with a "-" and a ".".
    var numbers: Numbers {
        if matchesEveryLine { return .all }
        let canMatch = root.canMatch { node in
            switch node {
            case .literal(let scalar): return "-.0123456789".unicodeScalars.contains(scalar)
            case .set(let text):
                guard let set = try? RegularExpression("\\A\(text)\\z", ignoresCase: false) else { return true }
                return "-.0123456789".contains { set.matches(String($0)) }
            default: return true
            }
        }
        return canMatch && root.leastCount(of: ".") < 2 && root.leastCount(of: "-") < 2 ? .some : .none
    }

    /// Whether the pattern matches every text of one line that is not empty, because it is `.*` or the like.
    private var matchesEveryLine: Bool {
        var nodes = root.elements[...]
        if case .start = nodes.first { nodes = nodes.dropFirst() }
        if case .end = nodes.last { nodes = nodes.dropLast() }
        var least = 0
        for node in nodes {
            guard case .repeated(.anyCharacter, let minimum, let suffix) = node, suffix.first != "{" else {
                return false
            }
            least += minimum
        }
        // Between two anchors something has to take the characters.
        return least <= 1 && (!nodes.isEmpty || root.elements.count < 2)
    }

    private static func plain(_ root: RustPatternNode) -> Plain? {
        var nodes = root.elements[...]
        var isStart = false
        var isEnd = false
        if case .start = nodes.first {
            isStart = true
            nodes = nodes.dropFirst()
        } else {
            nodes = nodes.drop(while: \.takesAnything)
        }
        if case .end = nodes.last {
            isEnd = true
            nodes = nodes.dropLast()
        } else {
            while nodes.last?.takesAnything == true { nodes = nodes.dropLast() }
        }
        var literal = ""
        for node in nodes {
            guard case .literal(let scalar) = node else { return nil }
            literal.unicodeScalars.append(scalar)
        }
        guard !literal.isEmpty else { return nil }
        switch (isStart, isEnd) {
        case (true, true): return .equals(literal)
        case (true, false): return .startsWith(literal)
        case (false, true): return .endsWith(literal)
        case (false, false): return .contains(literal)
        }
    }

    /// The test of a text attribute.
    var operators: JSONObject {
        switch plain {
        case .contains(let literal): ["$contains": .string(literal)]
        case .startsWith(let literal): ["$startsWith": .string(literal)]
        case .endsWith(let literal): ["$endsWith": .string(literal)]
        case .equals(let literal): ["$eq": .string(literal)]
        case nil: ["$regex": .string(text)]
        }
    }
}
