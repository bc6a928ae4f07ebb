extension PortablePattern {
    /// Reads an expression that RE2 compiled, with the meaning that RE2 gives it.
    package init(_ expression: RegularExpression) throws(Refusal) {
        var parser = PatternParser(expression.pattern, .re2, ignoresCase: expression.ignoresCase)
        self = try parser.pattern()
    }
}

/// A parser of the notation that languages share, which rejects everything that it does not know. The parser writes
/// down each pattern as it reads it, in RE2's syntax. Syntax that the pattern's own language does not have may be read
/// as another language's.
package struct PatternParser {
    package typealias Refusal = PortablePattern.Refusal

    /// The language of a pattern. Classes such as `\w`, and case, are those of ASCII in RE2 only.
    package enum Language: Sendable { case re2, python, rust }

    /// The deepest nesting of groups, which bounds the stack of all functions that recurse over patterns.
    private static let maximumDepth = 100
    private let language: Language
    private var rest: ArraySlice<Unicode.Scalar>
    /// The scalars that were read, in RE2's syntax.
    private var written: [Unicode.Scalar] = []
    private var depth = 0
    package private(set) var ignoresCase: Bool
    private var dotMatchesNewline = false

    /// - Parameter ignoresCase: whether the pattern is read as if it began with `(?i)`.
    package init(_ pattern: String, _ language: Language, ignoresCase: Bool = false) {
        (self.language, self.ignoresCase) = (language, ignoresCase)
        rest = Array(pattern.unicodeScalars)[...]
    }

    /// The pattern in RE2's syntax, which ignores case by a flag at its start if it has one there.
    package var text: String { String(String.UnicodeScalarView(written)) }

    /// Reads the pattern. The sets of a language other than RE2 are exact for ASCII only.
    package mutating func pattern() throws(Refusal) -> PortablePattern {
        for flags in ["(?i)", "(?s)", "(?is)", "(?si)"] where take(flags) {
            ignoresCase = ignoresCase || flags.contains("i")
            dotMatchesNewline = flags.contains("s")
            break
        }
        let pattern = try choice()
        guard rest.isEmpty else { throw refusal("a `)` that closes no group", "write \\) for the character") }
        return pattern
    }

    private func refusal(_ construct: String, _ remedy: String) -> Refusal {
        Refusal("\(construct), which not all engines read alike; \(remedy)")
    }

    // MARK: Scalars

    private func isNext(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

    private mutating func take(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        written += text.unicodeScalars
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    /// Takes scalars up to a number of them.
    private mutating func run(upTo count: Int, where isMember: (Unicode.Scalar) -> Bool) -> String {
        let run = rest.prefix(count).prefix(while: isMember)
        written += run
        rest = rest.dropFirst(run.count)
        return String(String.UnicodeScalarView(run))
    }

    private mutating func next() throws(Refusal) -> Unicode.Scalar {
        guard let scalar = rest.popFirst() else {
            throw refusal("a group, class or escape without an end", "complete it")
        }
        written.append(scalar)
        return scalar
    }

    /// Replaces the scalars that were written since an index.
    private mutating func rewrite(from start: Int, _ text: String) {
        written.replaceSubrange(start..., with: text.unicodeScalars)
    }

    // MARK: Groups

    private mutating func choice() throws(Refusal) -> PortablePattern {
        var branches: [[PortablePattern]] = [[]]
        while let scalar = rest.first, scalar != ")" {
            if take("|") {
                branches.append([])
            } else {
                let atom = try atom()
                branches[branches.count - 1].append(try repeated(atom))
            }
        }
        return .choice(branches.map { .sequence($0) })
    }

    private mutating func group() throws(Refusal) -> PortablePattern {
        let outerDot = dotMatchesNewline
        let start = written.count
        if take("?s:") {
            dotMatchesNewline = true
        } else if take("?P<") || take("?<") {
            rewrite(from: start, "?P<")
            guard !run(upTo: .max, where: ScalarSet.word.contains).isEmpty, take(">") else {
                throw refusal("a group that looks behind, or its name", "write what comes before it")
            }
        } else if isNext("?"), !take("?:") {
            let beginning = String(String.UnicodeScalarView(rest.prefix(2)))
            throw refusal(
                "a group with `(\(beginning)`", "write (?i) or (?s) at the start of the pattern, and no other flags")
        }
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw Refusal("groups that are nested more than \(Self.maximumDepth) deep; write it with fewer")
        }
        let body = try choice()
        depth -= 1
        dotMatchesNewline = outerDot
        guard take(")") else { throw refusal("a group without an end", "write \\( for the character") }
        return body
    }

    /// An atom with the repetition that follows it, if there is one.
    private mutating func repeated(_ atom: PortablePattern) throws(Refusal) -> PortablePattern {
        guard let (minimum, maximum) = try bounds() else { return atom }
        // Which of several matches is preferred does not matter.
        _ = take("?")
        if case .assertion = atom { throw refusal("a repetition of `^`, `$` or `\\b`", "remove it") }
        guard maximum == 1 || !atom.matchesEmpty(ifAssertionsHold: true) else {
            throw refusal("a repetition of a group that can be empty", "write the group so that it is not")
        }
        guard try bounds() == nil else { throw refusal("a repetition of a repetition", "write one") }
        return .repetition(atom, minimum: minimum, maximum: maximum)
    }

    /// The bounds of a repetition. Returns `nil` and takes nothing if no repetition comes next.
    private mutating func bounds() throws(Refusal) -> (minimum: Int, maximum: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let first = run(upTo: 4, where: ScalarSet.digits.contains)
        let last = take(",") ? run(upTo: 4, where: ScalarSet.digits.contains) : first
        let maximum = Int(last)
        guard take("}"), let minimum = Int(first), minimum <= maximum ?? 1000, maximum ?? 0 <= 1000,
            ![first, last].contains(where: { $0.hasPrefix("0") && $0 != "0" })
        else { throw refusal("a `{` that begins no repetition of up to 1000", "write \\{ for the character") }
        return (minimum, maximum)
    }

    // MARK: Atoms

    /// A pattern without the repetition that may follow.
    private mutating func atom() throws(Refusal) -> PortablePattern {
        let start = written.count
        let scalar = try next()
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try bracketedClass())
        case "\\": return try escape()
        case ".": return .scalar(dotMatchesNewline ? .all : ScalarSet.newline.complement)
        case "^": return .assertion(.textStart)
        case "$" where language == .python:
            // It matches before a line feed at the end too, which RE2 has to take with it.
            guard depth == 0, rest.isEmpty || isNext("|") else {
                throw refusal("a `$` before the end", "write it at the end of the pattern")
            }
            rewrite(from: start, "\\n?\\z")
            return .assertion(.textEnd)
        case "$": return .assertion(.textEnd)
        case "*", "+", "?", "{": throw refusal("a `\(scalar)` that repeats nothing", "write \\\(scalar)")
        default: return try literal(scalar, from: start)
        }
    }

    private mutating func escape() throws(Refusal) -> PortablePattern {
        let start = written.count - 1
        if let set = try shorthand(inClass: false) { return .scalar(set) }
        if take("A") { return .assertion(.textStart) }
        if take("z") || take("Z") {
            rewrite(from: start, "\\z")
            return .assertion(.textEnd)
        }
        if language == .re2, take("b") { return .assertion(.wordBoundary) }
        return try literal(try escapedScalar(), from: start)
    }

    private mutating func literal(_ scalar: Unicode.Scalar, from start: Int) throws(Refusal) -> PortablePattern {
        let set = try cased(ScalarSet(scalar))
        // Python finds two more letters for the letter i, and RE2 does not.
        if language == .python, ignoresCase, set.contains("i") { rewrite(from: start, "[iI\u{130}\u{131}]") }
        return .scalar(set)
    }

    /// A set with what differs from its members in case, if the pattern ignores it. Rust ignores it as RE2 does.
    private func cased(_ set: ScalarSet) throws(Refusal) -> ScalarSet {
        guard ignoresCase, language != .rust else { return set }
        let foreign = set.intersection(ScalarSet.ascii.complement)
        guard foreign.ranges.allSatisfy({ $0.count == 1 && !Self.hasCase($0.lowerBound) }) else {
            throw refusal("letters beyond ASCII where case is ignored", "write each form of them, without that flag")
        }
        var ranges = set.intersection(.letters).ranges.map { ($0.lowerBound ^ 0x20)...($0.upperBound ^ 0x20) }
        if set.contains("k") || set.contains("K") { ranges.append(0x212a...0x212a) }
        if set.contains("s") || set.contains("S") { ranges.append(0x17f...0x17f) }
        return set.union(ScalarSet(ranges))
    }

    private static func hasCase(_ number: UInt32) -> Bool {
        guard let properties = Unicode.Scalar(number)?.properties else { return false }
        return properties.changesWhenCaseMapped || properties.changesWhenCaseFolded
    }

    // MARK: Classes

    private mutating func bracketedClass() throws(Refusal) -> ScalarSet {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var (isFirst, hasLetterI) = (true, false)
        // A bracket in the first place is a member.
        while isFirst || !isNext("]") {
            isFirst = false
            for mark in ["[", "&&", "--", "~~", "||"] where isNext(mark) {
                throw refusal("`\(mark)` in a class", "write \\\(mark.prefix(1)) for the character, or the members")
            }
            let start = written.count
            let first = try next()
            if first == "\\", let named = try shorthand(inClass: true) {
                guard language == .re2 || !isNext("-") || isNext("-]") else {
                    throw refusal("a range of a class", "write \\- for the character")
                }
                ranges += named.ranges
                continue
            }
            if first == "-" || first == "]" { rewrite(from: start, "\\\(first)") }
            let lower = try first == "\\" ? escapedScalar() : first
            var upper = lower
            // A minus sign before the closing bracket is a member.
            if isNext("-"), !isNext("-]"), !isNext("--"), take("-") {
                upper = try next()
                if upper == "\\" { upper = try escapedScalar() }
            }
            guard lower <= upper else { throw refusal("a range that does not ascend", "write the members") }
            let members = try cased(ScalarSet([lower.value...upper.value]))
            hasLetterI = hasLetterI || members.contains("i")
            ranges += members.ranges
        }
        if hasLetterI, language == .python, ignoresCase { written += "\u{130}\u{131}".unicodeScalars }
        _ = take("]")
        let set = ScalarSet(ranges)
        return isNegated ? set.complement : set
    }

    /// The class of `\d`, `\w` or `\s`, or of one in upper case, after the backslash. Returns `nil` and takes nothing
    /// if none comes next.
    private mutating func shorthand(inClass: Bool) throws(Refusal) -> ScalarSet? {
        let start = written.count - 1
        guard let letter = rest.first, let byte = UInt8(exactly: letter.value),
            let (ascii, names) = members(of: Unicode.Scalar(byte | 0x20)), take(String(letter))
        else { return nil }
        let isNegated = byte & 0x20 == 0
        let set = try cased(ascii)
        if language == .re2 { return isNegated ? set.complement : set }
        guard !inClass || !isNegated else { throw refusal("`\\\(letter)` in a class", "write the members") }
        rewrite(from: start, inClass ? names : "[\(isNegated ? "^" : "")\(names)]")
        return (isNegated ? set.complement : set).union(ScalarSet.ascii.complement)
    }

    /// The scalars of ASCII that `\d`, `\w` or `\s` matches, and all that it matches as members of a class of RE2.
    private func members(of letter: Unicode.Scalar) -> (ascii: ScalarSet, text: String)? {
        switch (letter, language) {
        case ("d", .re2): (ScalarSet.digits, "\\d")
        case ("d", .python), ("d", .rust): (ScalarSet.digits, "\\p{Nd}")
        case ("w", .re2): (ScalarSet.word, "\\w")
        case ("w", .python): (ScalarSet.word, "\\p{L}\\p{N}_")
        case ("w", .rust):
            (
                ScalarSet.word,
                #"\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}\x{24B6}-\x{24E9}"#
                    + #"\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}"#
            )
        case ("s", .re2): (ScalarSet([0x09...0x0a, 0x0c...0x0d, 0x20...0x20]), "\\s")
        case ("s", .python): (ScalarSet([0x09...0x0d, 0x1c...0x20]), #"\s\v\x1c-\x1f\x{85}\p{Z}"#)
        case ("s", .rust): (ScalarSet([0x09...0x0d, 0x20...0x20]), #"\s\v\x{85}\p{Z}"#)
        default: nil
        }
    }

    // MARK: Escapes

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{7}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{b}",
    ]
    private static let hexadecimalDigits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]

    /// An escape that represents one character, after the backslash.
    private mutating func escapedScalar() throws(Refusal) -> Unicode.Scalar {
        let start = written.count - 1
        let letter = try next()
        if let control = Self.controls[letter] { return control }
        if let count = Self.hexadecimalDigits[letter] { return try hexadecimal(digits: count, from: start) }
        // In Rust `\<` and `\>` are boundaries.
        guard letter.isASCII, letter == "_" || !ScalarSet.word.contains(letter),
            language != .rust || letter != "<" && letter != ">"
        else { throw refusal("the escape `\\\(letter)`", "write the characters, as in [A-Za-z]") }
        return letter
    }

    private mutating func hexadecimal(digits count: Int, from start: Int) throws(Refusal) -> Unicode.Scalar {
        let isBraced = take("{")
        let digits = run(upTo: isBraced ? .max : count) { $0.properties.isASCIIHexDigit }
        guard isBraced ? take("}") : digits.utf8.count == count, let number = UInt32(digits, radix: 16),
            let scalar = Unicode.Scalar(number)
        else { throw refusal("a number of no character", "write the character") }
        rewrite(from: start, "\\x{\(String(number, radix: 16))}")
        return scalar
    }
}
