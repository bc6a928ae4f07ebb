import AllotCore

extension Pattern {
    /// Reads an expression that RE2 compiled, with the meaning that RE2 gives it.
    init(_ expression: RegularExpression) throws(Unsupported) {
        var parser = PatternParser(expression.pattern, ignoresCase: expression.ignoresCase)
        self = try parser.pattern()
    }
}

/// A parser of RE2's syntax, which rejects everything that it does not know.
struct PatternParser {
    /// The deepest nesting of groups, which bounds the stack of all functions that recurse over patterns.
    static let maximumDepth = 100

    /// The flags of `(?imsU)`.
    struct Flags: Hashable {
        var ignoresCase = false
        var dotMatchesNewline = false
        var matchesLines = false
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var flags = Flags()
    private var folding = PatternFolding()
    private var letters = Letters()

    /// The letters in the current alternatives, by whether case matters.
    private struct Letters {
        var withCase: [ClosedRange<UInt32>] = []
        var withoutCase: [ClosedRange<UInt32>] = []

        var overlap: Bool {
            guard !withCase.isEmpty, !withoutCase.isEmpty else { return false }
            let letters = ScalarSet(withCase).intersection(PatternFolding.lettersWithCase)
            return !letters.isDisjoint(from: ScalarSet(withoutCase))
        }
    }

    init(_ pattern: String, ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        flags.ignoresCase = ignoresCase
    }

    mutating func pattern() throws(Unsupported) -> Pattern {
        let pattern = try choice()
        guard current == nil else { throw Unsupported("a `)` closes no group") }
        return pattern
    }
}

// MARK: - Scalars

extension PatternParser {
    var current: Unicode.Scalar? { scalar(at: 0) }

    func scalar(at offset: Int) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    func isNext(_ text: String) -> Bool {
        scalars[position...].starts(with: text.unicodeScalars)
    }

    /// Skips a text if it comes next; returns whether it did.
    mutating func take(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    mutating func next(_ what: String) throws(Unsupported) -> Unicode.Scalar {
        guard let scalar = current else {
            throw Unsupported("the pattern ends where \(what) should be")
        }
        position += 1
        return scalar
    }

    /// The text up to an end mark, which is skipped too. Returns `nil` and skips nothing if there is no end mark.
    mutating func text(upTo end: String) -> String? {
        var ahead = self
        var text = String.UnicodeScalarView()
        while !ahead.take(end) {
            guard let scalar = ahead.current else { return nil }
            text.append(scalar)
            ahead.position += 1
        }
        position = ahead.position
        return String(text)
    }
}

// MARK: - Groups

extension PatternParser {
    /// Alternatives up to the end of the group or of the pattern.
    private mutating func choice() throws(Unsupported) -> Pattern {
        var branches: [Pattern] = []
        var sequence: [Pattern] = []
        let outerLetters = letters
        letters = Letters()
        while let scalar = current, scalar != ")" {
            if take("|") {
                branches.append(.sequence(sequence))
                sequence = []
            } else if scalar == "(" {
                if let group = try group() { sequence.append(group) }
            } else if let bounds = try repetitionBounds() {
                guard let body = sequence.popLast() else {
                    throw Unsupported("a repetition has nothing before it to repeat")
                }
                sequence.append(.repetition(body, minimum: bounds.minimum, maximum: bounds.maximum))
            } else if take("\\Q") {
                while current != nil, !take("\\E") { sequence.append(try literal(try next("quoted text").value)) }
            } else {
                sequence.append(try atom())
            }
        }
        branches.append(.sequence(sequence))
        // RE2 joins alternatives of one letter and then drops the other case: `a|(?i:a)` does not match "A".
        guard branches.count == 1 || !letters.overlap else {
            throw Unsupported(
                "alternatives have the same letter with and without `(?i)`; use the flag for all of them or for none"
            )
        }
        letters.withCase += outerLetters.withCase
        letters.withoutCase += outerLetters.withoutCase
        return .choice(branches)
    }

    /// A group in parentheses. Returns `nil` if it only sets flags.
    private mutating func group() throws(Unsupported) -> Pattern? {
        guard depth < Self.maximumDepth else {
            throw Unsupported("groups are nested more than \(Self.maximumDepth) deep")
        }
        let outerFlags = flags
        _ = take("(")
        if take("?P<") || take("?<") {
            guard text(upTo: ">") != nil else { throw Unsupported("a group's name has no end") }
        } else if take("?") {
            guard try readFlags() else { return nil }
        }
        depth += 1
        let body = try choice()
        depth -= 1
        flags = outerFlags
        guard take(")") else { throw Unsupported("a group has no `)`") }
        return body
    }

    /// Reads the flags after `(?`; returns whether a group follows, which a colon says.
    private mutating func readFlags() throws(Unsupported) -> Bool {
        var switchesOn = true
        while true {
            let flag = try next("a group's flags")
            switch flag {
            case "i": flags.ignoresCase = switchesOn
            case "s": flags.dotMatchesNewline = switchesOn
            case "m": flags.matchesLines = switchesOn
            case "U": break  // The preference among matches does not matter.
            case "-" where switchesOn: switchesOn = false
            case ":": return true
            case ")": return false
            default: throw Unsupported("RE2 does not have the flag or group `(?\(flag)`")
            }
        }
    }

    /// The bounds of a repetition. Returns `nil` and skips nothing if no repetition comes next.
    private mutating func repetitionBounds() throws(Unsupported) -> (minimum: Int, maximum: Int?)? {
        let signs: [(String, (minimum: Int, maximum: Int?))] = [("*", (0, nil)), ("+", (1, nil)), ("?", (0, 1))]
        guard let bounds = signs.first(where: { take($0.0) })?.1 ?? bracedBounds() else { return nil }
        _ = take("?")
        guard bounds.minimum <= (bounds.maximum ?? 1000), max(bounds.minimum, bounds.maximum ?? 0) <= 1000 else {
            throw Unsupported("a repetition's bounds are not ascending numbers up to 1000")
        }
        return bounds
    }

    /// The bounds in braces. RE2 reads text that only resembles bounds as literals, such as `{,2}` and `{01}`.
    private mutating func bracedBounds() -> (minimum: Int, maximum: Int?)? {
        var ahead = self
        guard ahead.take("{"), let minimum = ahead.bound() else { return nil }
        let maximum = ahead.take(",") ? ahead.bound() : minimum
        guard ahead.take("}") else { return nil }
        position = ahead.position
        return (minimum, maximum)
    }

    private mutating func bound() -> Int? {
        let digits = scalars[position...].prefix { ("0"..."9").contains($0) }
        guard digits.count == 1 || digits.first != "0", digits.count <= 9,
            let number = Int(String(String.UnicodeScalarView(digits)))
        else { return nil }
        position += digits.count
        return number
    }
}

// MARK: - Atoms

extension PatternParser {
    /// A pattern that is neither a group nor a repetition.
    private mutating func atom() throws(Unsupported) -> Pattern {
        if take("^") { return .assertion(flags.matchesLines ? .lineStart : .textStart) }
        if take("$") { return .assertion(flags.matchesLines ? .lineEnd : .textEnd) }
        if take(".") { return .scalar(flags.dotMatchesNewline ? .all : ScalarSet.newline.complement) }
        if take("\\A") { return .assertion(.textStart) }
        if take("\\z") { return .assertion(.textEnd) }
        if take("\\b") { return .assertion(.wordBoundary) }
        if take("\\B") { return .assertion(.noWordBoundary) }
        if isNext("\\C") {
            throw Unsupported("`\\C` is one byte, and other engines support only characters; `(?s:.)` is any character")
        }
        if isNext("[") { return noted(try bracketedClass()) }
        if let named = try escapedClass() { return noted(named) }
        if isNext("\\") { return try literal(try escapedScalar()) }
        return try literal(try next("a character").value)
    }

    private mutating func literal(_ number: UInt32) throws(Unsupported) -> Pattern {
        noted(try cased(ScalarSet([number...number])))
    }

    /// A pattern of one scalar of a set, which is added to the letters.
    private mutating func noted(_ set: ScalarSet) -> Pattern {
        if flags.ignoresCase {
            letters.withoutCase += set.ranges
        } else {
            letters.withCase += set.ranges
        }
        return .scalar(set)
    }

    /// A set with the flag that ignores case applied.
    mutating func cased(_ set: ScalarSet) throws(Unsupported) -> ScalarSet {
        flags.ignoresCase ? try folding.folded(set) : set
    }
}
