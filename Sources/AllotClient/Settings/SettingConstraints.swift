public import AllotConfiguration

/// What a setting's values must be beside their type, with the names and meanings of JSON Schema where it has them.
///
/// A value without text, such as `nil` or an array, meets no pattern, and what is no number meets no range.
public struct SettingConstraints: Sendable, Hashable {
    /// The least number; `nil` for no bound.
    public let minimum: JSONNumber?
    /// The greatest number; `nil` for no bound.
    public let maximum: JSONNumber?
    /// What the whole text must match; `nil` for anything. A number's text is the shortest that reads back as it, with a
    /// fraction for a floating point type: `7.0`.
    public let pattern: String?
    /// The only values that there are (JSON Schema's `enum`); `nil` for any.
    public let choices: [SettingChoice]?
    /// Values to offer beside which any other will do that meets the rest.
    public let suggestions: [SettingChoice]
    /// Whether a bound was given that is not a number.
    let hasInvalidBound: Bool

    init(
        minimum: JSONNumber? = nil, maximum: JSONNumber? = nil, pattern: String? = nil,
        choices: [SettingChoice]? = nil, suggestions: [SettingChoice] = [], hasInvalidBound: Bool = false
    ) {
        self.minimum = minimum
        self.maximum = maximum
        // As Appfigurate has it: the empty pattern is none. It would only match the empty text.
        self.pattern = pattern.flatMap { $0.isEmpty ? nil : $0 }
        self.choices = choices
        self.suggestions = suggestions
        self.hasInvalidBound = hasInvalidBound
    }

    /// The constraints of numbers in a range; an infinite end is an open one.
    init<Bound: SettingValue & Numeric>(
        _ bounds: some SettingBounds<Bound>, pattern: String?, choices: [SettingChoice]?, suggestions: [SettingChoice]
    ) {
        func number(_ bound: Bound?) -> JSONNumber? {
            if case .number(let number)? = bound?.json { number } else { nil }
        }
        // Only what is not a number is not equal to itself.
        func isInvalid(_ bound: Bound?) -> Bool { bound.map { $0 != $0 } ?? false }
        self.init(
            minimum: number(bounds.minimum), maximum: number(bounds.maximum), pattern: pattern, choices: choices,
            suggestions: suggestions, hasInvalidBound: isInvalid(bounds.minimum) || isInvalid(bounds.maximum))
    }

    /// Whether every value of the type is as good as any other.
    public var isEmpty: Bool {
        minimum == nil && maximum == nil && pattern == nil && choices == nil
    }

    /// Whether no number is in the range.
    var hasEmptyRange: Bool {
        guard let minimum, let maximum else { return false }
        return maximum.decimal < minimum.decimal
    }

    /// What is wrong with a value.
    ///
    /// - Parameter text: the value's text; `nil` when it has none.
    func violations(of value: JSONValue, text: String?) -> [SettingViolation] {
        rangeViolations(value) + choiceViolations(value) + patternViolations(value, text)
    }

    /// What is wrong with a default, which need not come from JSON.
    func violations<Value: SettingValue>(ofDefault value: Value) -> [SettingViolation] {
        let json = value.json
        do throws(SettingValueError) {
            _ = try Value(strict: json)
        } catch {
            let shown = json == .null ? "\(value)" : json.shortened
            return [SettingViolation(.type, "is \(shown), which no configuration can hold")]
        }
        return violations(of: json, text: SettingText.text(of: value))
    }

    private func rangeViolations(_ value: JSONValue) -> [SettingViolation] {
        guard case .number(let number) = value else {
            if let minimum { return [.init(.minimum, "is \(value.shortened), no number of at least \(minimum.text)")] }
            if let maximum { return [.init(.maximum, "is \(value.shortened), no number of at most \(maximum.text)")] }
            return []
        }
        var found: [SettingViolation] = []
        if let minimum, number.decimal < minimum.decimal {
            found.append(.init(.minimum, "is \(number.text), below the minimum \(minimum.text)"))
        }
        if let maximum, maximum.decimal < number.decimal {
            found.append(.init(.maximum, "is \(number.text), above the maximum \(maximum.text)"))
        }
        return found
    }

    private func choiceViolations(_ value: JSONValue) -> [SettingViolation] {
        guard let choices, !choices.contains(where: { $0.value.isEquivalent(to: value) }) else { return [] }
        let values = choices.prefix(20).map(\.value.shortened).joined(separator: ", ")
        let rest = choices.count > 20 ? ", …" : ""
        return [.init(.choices, "is \(value.shortened), which is none of \(values)\(rest)")]
    }

    private func patternViolations(_ value: JSONValue, _ text: String?) -> [SettingViolation] {
        guard let pattern else { return [] }
        guard let text else {
            return [.init(.pattern, "is \(value.shortened), which has no text to match the pattern \(pattern)")]
        }
        guard let compiled = SettingPattern.compiled(pattern) else {
            return [.init(.pattern, "cannot be checked, as the pattern \(pattern) is not valid")]
        }
        if compiled.matchesWhole(text) { return [] }
        let shown = JSONValue.string(text).shortened
        return [.init(.pattern, "is \(shown), which does not match the pattern \(pattern)")]
    }
}

/// What is wrong with a value of a setting.
public struct SettingViolation: Sendable, Hashable, CustomStringConvertible {
    /// What the value should have met.
    public enum Kind: String, Sendable, Hashable {
        /// It has another type.
        case type
        /// It is below the least number, or none.
        case minimum
        /// It is above the greatest number, or none.
        case maximum
        /// It is not among the choices.
        case choices
        /// Its text does not match.
        case pattern
    }

    /// What the value should have met.
    public let kind: Kind
    /// What is wrong, to follow the value's name in a sentence: `is 101, above the maximum 100`.
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension JSONValue {
    /// The value for a message: as JSON, cut if it is long.
    var shortened: String {
        let text = canonicalText
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
