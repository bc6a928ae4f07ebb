public import AllotConfiguration
import AllotFiles
import Foundation

/// The constraints on a setting's values, in addition to their type, with the names and meanings of JSON Schema where
/// it has them.
///
/// A value without text, such as `nil` or an array, meets no pattern. Only numbers and `nil` meet a range: it
/// constrains the number if there is one.
public struct SettingConstraints: Sendable, Hashable {
    /// The smallest permitted number; `nil` for no bound.
    public let minimum: JSONNumber?
    /// The greatest permitted number; `nil` for no bound.
    public let maximum: JSONNumber?
    /// The pattern that the whole text must match; `nil` for any text. A number's text is the shortest that reads back
    /// as the number, with a fraction for a floating point type: `7.0`.
    public let pattern: String?
    /// The only permitted values (JSON Schema's `enum`); `nil` for any.
    public let choices: [SettingChoice]?
    /// Values to offer; other values are permitted if they meet the other constraints.
    public let suggestions: [SettingChoice]
    /// Whether a bound was given that JSON cannot represent, and that is ignored.
    let hasInvalidBound: Bool

    init(
        minimum: JSONNumber? = nil, maximum: JSONNumber? = nil, pattern: String? = nil,
        choices: [SettingChoice]? = nil, suggestions: [SettingChoice] = [], hasInvalidBound: Bool = false
    ) {
        // As in Appfigurate, an empty pattern does not count. It would match only the empty text.
        (self.minimum, self.maximum, self.pattern) = (minimum, maximum, pattern?.nonEmpty)
        (self.choices, self.suggestions, self.hasInvalidBound) = (choices, suggestions, hasInvalidBound)
    }

    /// The constraints of numbers in a range; an infinite end is an open one.
    init<Bound: SettingValue & Numeric>(
        _ bounds: some SettingBounds<Bound>, pattern: String?, choices: [SettingChoice]?, suggestions: [SettingChoice]
    ) {
        var hasInvalidBound = false
        func number(_ bound: Bound?, openAt sign: FloatingPointSign) -> JSONNumber? {
            guard let bound else { return nil }
            if case .number(let number) = bound.json { return number }
            let isOpen = (bound as? any BinaryFloatingPoint).map { $0.isInfinite && $0.sign == sign } ?? false
            if !isOpen { hasInvalidBound = true }
            return nil
        }
        let minimum = number(bounds.ends.minimum, openAt: .minus)
        let maximum = number(bounds.ends.maximum, openAt: .plus)
        self.init(
            minimum: minimum, maximum: maximum, pattern: pattern, choices: choices, suggestions: suggestions,
            hasInvalidBound: hasInvalidBound)
    }

    var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil && choices == nil }

    var hasEmptyRange: Bool {
        guard let minimum, let maximum else { return false }
        return maximum.decimal < minimum.decimal
    }

    func violations(of value: JSONValue, text: String?) -> [SettingViolation] {
        rangeViolations(value) + choiceViolations(value) + patternViolations(value, text)
    }

    func violations<Value: SettingValue>(ofDefault value: Value) -> [SettingViolation] {
        let json = value.json
        do throws(SettingValueError) {
            _ = try Value(json: json)
        } catch {
            let shown = json == .null ? "\(value)" : json.shortened
            return [SettingViolation(kind: .type, expected: "a value that JSON can represent", found: shown)]
        }
        return violations(of: json, text: SettingText.text(of: value))
    }

    private func rangeViolations(_ value: JSONValue) -> [SettingViolation] {
        if value == .null { return [] }
        let number = value.asNumber?.decimal
        let kind = number == nil ? "a number of " : ""
        var found: [SettingViolation] = []
        if let minimum, number.map({ $0 < minimum.decimal }) ?? true {
            found.append(.init(kind: .minimum, expected: "\(kind)at least \(minimum.text)", found: value.shortened))
        }
        if let maximum, number.map({ maximum.decimal < $0 }) ?? found.isEmpty {
            found.append(.init(kind: .maximum, expected: "\(kind)at most \(maximum.text)", found: value.shortened))
        }
        return found
    }

    private func choiceViolations(_ value: JSONValue) -> [SettingViolation] {
        guard let choices, !choices.contains(where: { $0.value.isEquivalent(to: value) }) else { return [] }
        guard !choices.isEmpty else {
            return [.init(kind: .choices, expected: "a choice, but there are none", found: value.shortened)]
        }
        let values = (choices.prefix(20).map(\.value.shortened) + (choices.count > 20 ? ["…"] : []))
        return [.init(kind: .choices, expected: "one of \(values.joined(separator: ", "))", found: value.shortened)]
    }

    private func patternViolations(_ value: JSONValue, _ text: String?) -> [SettingViolation] {
        guard let pattern else { return [] }
        let expected = "text that matches the pattern \(QuotedText(pattern))"
        guard let text else { return [.init(kind: .pattern, expected: expected, found: value.shortened)] }
        guard let compiled = SettingPattern.compiled(pattern) else {
            return [.init(kind: .pattern, expected: "\(expected), which is not valid", found: value.shortened)]
        }
        if compiled.matchesWhole(text) { return [] }
        return [.init(kind: .pattern, expected: expected, found: JSONValue.string(text).shortened)]
    }
}

struct SettingViolation: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case type, minimum, maximum, choices, pattern
    }

    let kind: Kind
    /// The expected value: `at most 100`.
    let expected: String
    let found: String

    var description: String { "expected \(expected), found \(found)" }
}

extension JSONValue {
    /// The value for a message: JSON on one line, cut if it is long.
    var shortened: String { PrintableText(canonicalText, atMost: 80).description }
}

/// A range of numbers that includes its ends, which may be open: `1...100`, `1...`, `...100`.
public protocol SettingBounds<Bound> {
    /// A number.
    associatedtype Bound: Comparable
    /// The smallest and the greatest value in the range; `nil` for an open end.
    var ends: (minimum: Bound?, maximum: Bound?) { get }
}

extension ClosedRange: SettingBounds {
    /// The bounds.
    public var ends: (minimum: Bound?, maximum: Bound?) { (lowerBound, upperBound) }
}

extension PartialRangeFrom: SettingBounds {
    /// The lower bound.
    public var ends: (minimum: Bound?, maximum: Bound?) { (lowerBound, nil) }
}

extension PartialRangeThrough: SettingBounds {
    /// The upper bound.
    public var ends: (minimum: Bound?, maximum: Bound?) { (nil, upperBound) }
}

/// A value that a setting offers.
public struct SettingChoice: Sendable, Hashable {
    /// The text that people see instead of the value; `nil` for the value itself.
    public let label: String?
    /// The value.
    public let value: JSONValue
}

/// The values that a setting offers: `["list", "grid"]`, or with labels `["Low": 10, "High": 95]`.
public struct SettingChoices<Value: SettingValue>: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    let choices: [SettingChoice]

    /// Offers values.
    public init(_ values: some Sequence<Value>) { choices = values.map { SettingChoice(label: nil, value: $0.json) } }

    init(labelled values: some Sequence<(label: String, value: Value)>) {
        choices = values.map { SettingChoice(label: $0.label, value: $0.value.json) }
    }

    /// Offers the values of a literal.
    public init(arrayLiteral values: Value...) { self.init(values) }

    /// Offers the values of a literal, each under a label.
    public init(dictionaryLiteral values: (String, Value)...) {
        self.init(labelled: values.map { (label: $0.0, value: $0.1) })
    }
}

/// A pattern that a setting's whole text must match, in ICU's syntax. Swift's own regular expressions compare
/// characters by canonical equivalence, which would accept texts that the server distinguishes.
final class SettingPattern: Sendable {
    private let expression: NSRegularExpression

    init?(_ pattern: String) {
        // By itself first: the added parentheses could make a lone one valid.
        guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        // A comment at its end, or an open quotation, would swallow what follows.
        for end in ["", "\n", "\\E"] {
            if let whole = try? NSRegularExpression(pattern: "(?:\(pattern)\(end))\\z") {
                expression = whole
                return
            }
        }
        return nil
    }

    func matchesWhole(_ text: String) -> Bool {
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: range) != nil
    }

    private static let compiled = Lock<[UTF8Key: SettingPattern?]>([:])
    /// Apps declare fewer patterns; those that create them at run time pay for compiling them.
    private static let compiledLimit = 1000

    static func compiled(_ pattern: String) -> SettingPattern? {
        let key = UTF8Key(pattern)
        if let known = compiled.withLock({ $0[key] }) { return known }
        let new = SettingPattern(pattern)
        compiled.withLock { if $0.count < compiledLimit { $0[key] = .some(new) } }
        return new
    }
}
