import AllotConfiguration
import AllotCore

/// The set of attribute values that satisfy `$eq` of one literal. A further test is true for all of them, for none, or
/// for some; the answer for some is `nil`.
///
/// The number 5 and every text that reads as 5 satisfy the literal `5`. Only that text, typed or not, satisfies `"5"`.
/// A missing attribute satisfies `null`.
enum LiteralValue: Sendable {
    case missing
    case boolean(Bool)
    case number(Double)
    case text(String)
    case other

    init(_ literal: JSONValue) {
        switch literal {
        case .null: self = .missing
        case .boolean(let flag): self = .boolean(flag)
        case .number(let number): self = .number(number.double)
        case .string(let text): self = .text(text)
        case .array, .object: self = .other
        }
    }

    /// The number that text reads as.
    static func number(_ text: String) -> Double? {
        Double(attributeText: Array(text.utf8).span)
    }

    /// The boolean that text reads as if it has no type.
    static func flag(_ text: String) -> Bool? {
        guard (4...5).contains(text.utf8.count) else { return nil }
        return Bool(text.lowercased())
    }
}

/// Literals of which an attribute equals one.
struct LiteralChoice: Sendable {
    let values: [LiteralValue]
    /// The numbers of the values, if all of them are text.
    let texts: Set<Int>?

    /// The choice of a missing attribute.
    static let missing = LiteralChoice(values: [.missing], texts: nil)

    private init(values: [LiteralValue], texts: Set<Int>?) {
        (self.values, self.texts) = (values, texts)
    }

    init(_ values: [LiteralValue], _ numbers: inout Interner) {
        var texts: Set<Int>? = []
        for value in values {
            guard case .text(let text) = value else {
                texts = nil
                break
            }
            texts?.insert(numbers.number(of: text))
        }
        self.init(values: values, texts: texts)
    }
}

/// The literals of an `$eq` or `$in`, by type.
struct LiteralMembers: Sendable {
    private var texts: Set<UTF8Key> = []
    private var numbers: Set<Double> = []
    /// The numbers that texts read as.
    private var numbersInTexts: Set<Double> = []
    private var flags: Set<Bool> = []
    /// The booleans that texts read as.
    private var flagsInTexts: Set<Bool> = []
    private var hasMissing = false
    private var hasOther = false

    init(_ literals: [LiteralValue]) {
        for literal in literals {
            switch literal {
            case .missing: hasMissing = true
            case .boolean(let flag): flags.insert(flag)
            case .number(let number): numbers.insert(number)
            case .text(let text):
                texts.insert(UTF8Key(text))
                if let number = LiteralValue.number(text) { numbersInTexts.insert(number) }
                if let flag = LiteralValue.flag(text) { flagsInTexts.insert(flag) }
            case .other: hasOther = true
            }
        }
    }

    /// Whether the values that equal a literal equal one of these.
    func contains(_ value: LiteralValue) -> Bool? {
        let otherwise = hasOther ? nil : false
        switch value {
        case .missing: return hasMissing ? true : otherwise
        case .boolean(let flag): return flags.contains(flag) ? true : flagsInTexts.contains(flag) ? nil : otherwise
        case .number(let number):
            return numbers.contains(number) ? true : numbersInTexts.contains(number) ? nil : otherwise
        case .text(let text):
            if texts.contains(UTF8Key(text)) { return true }
            if !numbers.isEmpty, let number = LiteralValue.number(text), numbers.contains(number) { return true }
            return LiteralValue.flag(text).map(flags.contains) ?? false ? nil : otherwise
        case .other: return nil
        }
    }
}
