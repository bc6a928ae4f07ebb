import AllotConfiguration
import AllotCore

/// Writes regular expressions of Python's module `re` in RE2's syntax, so that the same texts match.
///
/// The languages differ in what letters, digits and spaces are, in `$` before a line's end, and in case. What cannot be
/// the same is refused: back-references, look-around, word boundaries, possessive quantifiers.
struct PythonPattern {
    /// The reason why a pattern cannot be written. `Sendable`.
    struct Refusal: Error {
        let reason: String
    }

    private indirect enum Item {
        case text(String)
        case end
        case group(opening: String, [[(item: Item, quantifier: String)]])
    }

    private var rest: Substring.UnicodeScalarView
    private var ignoresCase = false
    private var depth = 0

    /// The nesting of groups beyond which a pattern is refused.
    private static let maximumDepth = 50

    private init(_ pattern: String) {
        rest = pattern.unicodeScalars[...]
    }

    /// The pattern for Allot's `$regex`, which searches it anywhere in a text.
    static func translated(_ pattern: String) throws(Refusal) -> String {
        var reading = PythonPattern(pattern)
        let flags = try reading.leadingFlags()
        if reading.ignoresCase, !pattern.utf8.allSatisfy({ $0 < 0x80 }) {
            throw Refusal(reason: "(?i) with letters beyond ASCII")
        }
        let alternatives = try reading.alternatives(isGroup: false)
        let written = flags + (try write(alternatives, isLast: true))
        do {
            _ = try RegularExpression(written, ignoresCase: false)
        } catch {
            throw Refusal(reason: error.reason)
        }
        return written
    }

    // MARK: Reading

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func leadingFlags() throws(Refusal) -> String {
        for flags in ["(?i)", "(?s)", "(?is)", "(?si)"] where skip(flags) {
            ignoresCase = flags.contains("i")
            return flags
        }
        return ""
    }

    private mutating func alternatives(
        isGroup: Bool
    ) throws(Refusal) -> [[(item: Item, quantifier: String)]] {
        var found: [[(item: Item, quantifier: String)]] = [[]]
        while let scalar = rest.first {
            switch scalar {
            case ")":
                guard isGroup else { throw Refusal(reason: "an unbalanced parenthesis") }
                rest = rest.dropFirst()
                return found
            case "|":
                rest = rest.dropFirst()
                found.append([])
            default:
                let item = try item()
                let quantifier = try quantifier()
                found[found.count - 1].append((item, quantifier))
            }
        }
        if isGroup { throw Refusal(reason: "an unbalanced parenthesis") }
        return found
    }

    private mutating func item() throws(Refusal) -> Item {
        guard let scalar = rest.popFirst() else { return .text("") }
        switch scalar {
        case "(": return try group()
        case "[": return .text(try characterClass())
        case "\\": return .text(try escape(inClass: false))
        case "$": return .end
        case ".", "^": return .text(String(scalar))
        case "*", "+", "?": throw Refusal(reason: "nothing to repeat")
        case "{", "}", "]": return .text("\\\(scalar)")
        case "i" where ignoresCase, "I" where ignoresCase: return .text("[iIİı]")
        default: return .text(String(scalar))
        }
    }

    private mutating func group() throws(Refusal) -> Item {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw Refusal(reason: "groups within groups") }
        if !skip("?") { return .group(opening: "(", try alternatives(isGroup: true)) }
        if skip(":") { return .group(opening: "(?:", try alternatives(isGroup: true)) }
        if skip("P<") {
            while let scalar = rest.popFirst(), scalar != ">" {
                guard scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                else {
                    throw Refusal(reason: "the name of a group")
                }
            }
            return .group(opening: "(?:", try alternatives(isGroup: true))
        }
        throw Refusal(reason: "(?\(rest.first.map(String.init) ?? "")")
    }

    /// The quantifier that follows, empty if none does.
    private mutating func quantifier() throws(Refusal) -> String {
        var written = ""
        if let scalar = rest.first, "*+?".unicodeScalars.contains(scalar) {
            rest = rest.dropFirst()
            written = String(scalar)
        } else if let counted = countedQuantifier() {
            written = counted
        } else {
            return ""
        }
        if skip("?") { written += "?" }
        if let scalar = rest.first, "*+?".unicodeScalars.contains(scalar) {
            throw Refusal(reason: "\(written)\(scalar)")
        }
        if rest.first == "{" {
            var copy = self
            if copy.countedQuantifier() != nil { throw Refusal(reason: "a quantifier of a quantifier") }
        }
        return written
    }

    /// `{m}`, `{m,}`, `{,n}` or `{m,n}`. Anything else in braces is text.
    private mutating func countedQuantifier() -> String? {
        let start = rest
        guard skip("{") else { return nil }
        let least = digits()
        let hasComma = skip(",")
        let most = hasComma ? digits() : ""
        guard skip("}"), !least.isEmpty || hasComma else {
            rest = start
            return nil
        }
        return "{\(least.isEmpty ? "0" : least)\(hasComma ? "," : "")\(most)}"
    }

    private mutating func digits() -> String {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return String(digits)
    }

    /// Characters that `\d`, `\w` and `\s` find in texts, as the inside of a class.
    private static let classes: [Unicode.Scalar: String] = [
        "d": #"\p{Nd}"#, "w": #"\p{L}\p{N}_"#, "s": #"\s\v\x1c-\x1f\x{85}\p{Z}"#,
    ]

    private mutating func escape(inClass: Bool) throws(Refusal) -> String {
        guard let scalar = rest.popFirst() else { throw Refusal(reason: "a backslash at the end") }
        if let inside = Self.classes[scalar] { return inClass ? inside : "[\(inside)]" }
        switch scalar {
        case "D", "W", "S":
            if inClass { throw Refusal(reason: "\\\(scalar) in a class") }
            return "[^\(Self.classes[Unicode.Scalar(UInt8(scalar.value) | 0x20)] ?? "")]"
        case "A" where !inClass: return "\\A"
        case "Z" where !inClass: return "\\z"
        case "n", "t", "r", "f", "v", "a": return "\\\(scalar)"
        case "x", "u", "U":
            let count = scalar == "x" ? 2 : scalar == "u" ? 4 : 8
            let digits = rest.prefix(count)
            guard digits.count == count, let value = UInt32(String(digits), radix: 16),
                let character = Unicode.Scalar(value), !ignoresCase
            else { throw Refusal(reason: "\\\(scalar)") }
            rest = rest.dropFirst(count)
            return "\\x{\(String(character.value, radix: 16))}"
        default:
            guard scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw Refusal(reason: "\\\(scalar)")
            }
            return scalar.value > 0x20 ? "\\\(scalar)" : String(scalar)
        }
    }

    private mutating func characterClass() throws(Refusal) -> String {
        var written = skip("^") ? "[^" : "["
        var isFirst = true
        var hasLetterI = false
        var lower: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst {
                // Where case is ignored, Python finds two more letters for the letter i.
                return written + (ignoresCase && hasLetterI ? "İı" : "") + "]"
            }
            isFirst = false
            if scalar == "\\" {
                written += try escape(inClass: true)
                lower = nil
                continue
            }
            written += scalar == "[" || scalar == "]" ? "\\\(scalar)" : String(scalar)
            if scalar == "-", let start = lower, let end = rest.first, end != "]" {
                guard end != "\\", end != "[", start.value <= end.value else {
                    throw Refusal(reason: "a range that ends with \(end)")
                }
                rest = rest.dropFirst()
                written += String(end)
                hasLetterI = hasLetterI || (start...end).contains("i") || (start...end).contains("I")
                lower = nil
            } else {
                hasLetterI = hasLetterI || scalar == "i" || scalar == "I"
                lower = scalar
            }
        }
        throw Refusal(reason: "a class without an end")
    }

    // MARK: Writing

    /// - Parameter isLast: Whether nothing follows, so that `$` can take the end of the last line with it.
    private static func write(
        _ alternatives: [[(item: Item, quantifier: String)]], isLast: Bool
    ) throws(Refusal) -> String {
        var written: [String] = []
        for alternative in alternatives {
            var text = ""
            for (index, part) in alternative.enumerated() {
                let isEnd = isLast && index == alternative.count - 1 && part.quantifier.isEmpty
                switch part.item {
                case .text(let item): text += item
                case .end:
                    guard isEnd else { throw Refusal(reason: "$ before the end") }
                    text += #"\n?\z"#
                case .group(let opening, let inner):
                    text += opening + (try write(inner, isLast: isEnd)) + ")"
                }
                text += part.quantifier
            }
            written.append(text)
        }
        return written.joined(separator: "|")
    }
}

extension PayloadNode {
    /// A pattern of Python that this has, in RE2's syntax.
    func pythonPattern(_ pattern: String) throws(ImportProblem) -> String {
        do throws(PythonPattern.Refusal) {
            return try PythonPattern.translated(pattern)
        } catch {
            throw problem("the pattern has no equal in Allot: \(error.reason)")
        }
    }
}
