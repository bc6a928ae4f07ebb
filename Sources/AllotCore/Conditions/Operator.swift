import AllotConfiguration

/// A key that joins conditions, or stands for one.
enum Connective: String, CaseIterable {
    case and = "$and"
    case or = "$or"
    case nor = "$nor"
    case not = "$not"
    case segment = "$segment"
}

/// An operator that stands below an attribute's name. Each kind of predicate has an enumeration of its own.
protocol Operator: RawRepresentable, CaseIterable, Sendable where RawValue == String {
    var isNegation: Bool { get }

    /// Whether its test is negated with an operand.
    func isNegation(of literal: JSONValue) -> Bool

    /// The test in words that follow the attribute's name.
    func words(for literal: JSONValue) -> String

    /// The predicate for an operand; `nil`, and a problem, if the operand is wrong. Warns of what is doubtful.
    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate?
}

extension Operator {
    var isNegation: Bool { false }
    func isNegation(of literal: JSONValue) -> Bool { isNegation }
    /// Whether `DE`, `De` and `de` are the same: the names of these operators end with "i".
    var ignoresCase: Bool { rawValue.hasSuffix("i") }
    var verb: String { isNegation ? "is not" : "is" }
    var ending: String { ignoresCase ? " in any case" : "" }
}

/// The value that an operator compares with an attribute, or (`nil`) with the current element.
struct Operand<Node: ConditionNode> {
    let node: Node
    let attribute: String?
    /// Whether it is written without an operator.
    var isBare = false
}

enum Operators {
    private static let kinds: [any Operator.Type] = [
        EqualityOperator.self, MembershipOperator.self, ListOperator.self, PresenceOperator.self, TypeOperator.self,
        OrderOperator.self, PatternOperator.self, VersionOperator.self, GroupOperator.self, PartOperator.self,
        InstantOperator.self, NetworkOperator.self,
    ]

    private static let all: [any Operator] = kinds.flatMap { cases(of: $0) }
    private static let named: [String: any Operator] = Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, $0) })
    /// The names of all operators and of `$not`, which negates tests of a value as it does conditions.
    static let names: [String] = all.map { $0.rawValue } + [Connective.not.rawValue]

    static subscript(name: String) -> (any Operator)? { named[name] }
    static func contains(_ name: String) -> Bool { named[name] != nil || name == Connective.not.rawValue }
    /// The name of the operator that a name without "$" is that of, whatever its case.
    static func name(_ text: String) -> String? { DoubtfulText.operatorName(text).flatMap { contains($0) ? $0 : nil } }
    private static func cases<Kind: Operator>(of kind: Kind.Type) -> [any Operator] { kind.allCases.map { $0 } }
}

extension JSONValue {
    /// The value for a message about its type: `text "abc"`, `the number 5`, `a list`.
    package var described: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): "the number \(PrintableText(number.text, atMost: QuotedText.limit))"
        case .string(let text): "the text \(QuotedText(text))"
        case .array: "a list"
        case .object: "a map"
        }
    }

    /// The value in running text: text in quotes, so that `"5"` and 5 differ, numbers as written, lists without
    /// brackets and cut where they are long.
    var inWords: String {
        switch self {
        case .string(let text): return QuotedText(text).description
        case .array(let elements):
            let shown = elements.prefix(8).map { $0.asArray == nil ? $0.inWords : $0.printableText }
                .joined(separator: ", ")
            return elements.count > 8 ? "\(shown), … (\(elements.count) in all)" : elements.isEmpty ? "nothing" : shown
        default: return printableText
        }
    }

    private var printableText: String { PrintableText(canonicalText).description }

    /// One literal or several, of which any counts.
    var alternatives: String {
        if case .array(let elements) = self, elements.count > 1 { "one of \(inWords)" } else { inWords }
    }

    /// The name of a group or type.
    var unquoted: String { if case .string(let text) = self { PrintableText(text).description } else { printableText } }
    /// A literal that is read as text, even if it is written as a number.
    var quoted: String { if case .number(let number) = self { QuotedText(number.text).description } else { inWords } }
}
