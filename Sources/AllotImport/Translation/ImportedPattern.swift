import AllotConfiguration
import AllotCore

/// A regular expression of another system's engine, as Allot's `$regex` has it: `\d`, `\w` and `\s`, which are about
/// all of Unicode in Python and Rust, are written out.
struct ImportedPattern {
    /// The numbers that are not text which match if they are searched as texts.
    enum Numbers {
        case none, some, all
    }

    /// The pattern in RE2's syntax.
    let text: String
    /// A simpler pattern that occurs in the same texts, as far as they are ASCII.
    private let search: PortablePattern
    private let ignoresCase: Bool
    private let expression: RegularExpression

    /// - Parameter ignoresCase: Whether the pattern is searched as if it began with `(?i)`.
    init(
        _ pattern: String, _ language: PatternParser.Language, ignoresCase: Bool = false
    ) throws(PortablePattern.Refusal) {
        var parser = PatternParser(pattern, language, ignoresCase: ignoresCase)
        search = try parser.pattern().search
        text = (ignoresCase ? "(?i)" : "") + parser.text
        self.ignoresCase = parser.ignoresCase
        do {
            expression = try RegularExpression(text, ignoresCase: false)
        } catch {
            throw PortablePattern.Refusal("what is not valid for RE2 (\(error.reason))")
        }
    }

    func matches(_ text: String) -> Bool { expression.matches(text) }

    /// The parts between `^` and `$`, if the pattern has them.
    private var parts: (isStart: Bool, isEnd: Bool, rest: ArraySlice<PortablePattern>) {
        let all = search.elements
        let isStart = all.first == .assertion(.textStart)
        let isEnd = all.count > (isStart ? 1 : 0) && all.last == .assertion(.textEnd)
        return (isStart, isEnd, all.dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0))
    }

    /// Which numbers match, written as Rust writes them: digits, perhaps with a "-" and a ".".
    var numbers: Numbers {
        let scalars = ScalarSet([0x2d...0x2e, 0x30...0x39])
        let (isStart, isEnd, rest) = parts
        let isAny =
            switch rest.first?.limited(to: scalars) {
            case nil: !(isStart && isEnd)
            case .scalar(scalars)?: !(isStart && isEnd)
            case .repetition(.scalar(scalars), minimum: 0...1, maximum: nil)?: true
            default: false
            }
        if isAny, rest.count < 2 { return .all }
        let canMatch = search.limited(to: scalars).search != .never
        return canMatch && search.leastCount(of: ".") < 2 && search.leastCount(of: "-") < 2 ? .some : .none
    }

    /// The test of a text attribute: one of a part of the text, if the pattern has nothing special.
    var operators: JSONObject {
        let (isStart, isEnd, rest) = parts
        let scalars = rest.compactMap { part -> Unicode.Scalar? in
            if case .scalar(let set) = part { set.only } else { nil }
        }
        guard !ignoresCase, !scalars.isEmpty, scalars.count == rest.count else { return ["$regex": .string(text)] }
        let name = isStart ? (isEnd ? "$eq" : "$startsWith") : (isEnd ? "$endsWith" : "$contains")
        return [name: .string(String(String.UnicodeScalarView(scalars)))]
    }

    static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { pattern, scalar in
            let isSpecial = #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar)
            let isPlain = (0x20...0x7e).contains(scalar.value) || scalar.value > 0xa0
            let number = String(scalar.value, radix: 16, uppercase: true)
            pattern += (isSpecial ? "\\" : "") + (isPlain ? "\(scalar)" : "\\x{\(number)}")
        }
    }
}

extension PayloadNode {
    func pattern(
        _ text: String, in language: PatternParser.Language, ignoresCase: Bool = false
    ) throws(ImportProblem) -> ImportedPattern {
        do throws(PortablePattern.Refusal) {
            return try ImportedPattern(text, language, ignoresCase: ignoresCase)
        } catch {
            throw problem("the pattern \(QuotedText(text)) cannot be moved, because it uses \(error.reason)")
        }
    }
}
