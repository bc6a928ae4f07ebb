/// A JSON value. Strings are compared by their UTF-8 bytes and numbers by their digits. `Sendable`.
///
/// ```swift
/// let value = try JSONValue(parsing: Array(#"{"price": 1.50, "sizes": ["s", "m"]}"#.utf8))
/// if case .object(let product) = value { print(product["sizes"] == ["s", "m"]) }  // true
/// print(value.canonicalText)  // {"price":1.50,"sizes":["s","m"]}
/// ```
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number, with its digits as written.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The type's name in JSON Schema; a number without a fraction is an `integer`.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number(let number): number.decimal.isWhole ? "integer" : "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Whether two values are equal as JSON Schema defines it: 1, 1.0 and 1e0 are one number.
    package func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)):
            // Most are written alike.
            left == right || left.decimal == right.decimal
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let left), .object(let right)):
            left.members.count == right.members.count
                && zip(left.members, right.members).allSatisfy {
                    UTF8Order.areEqual($0.key, $1.key) && $0.value.isEquivalent(to: $1.value)
                }
        default:
            self == other
        }
    }

    /// Merges `override` onto this value: two objects merge member by member, recursively; any other value replaces.
    package func merging(_ override: JSONValue) -> JSONValue {
        guard case .object(var merged) = self, case .object(let patch) = override else { return override }
        for member in patch.members { merged[member.key] = merged[member.key]?.merging(member.value) ?? member.value }
        return .object(merged)
    }

    package static func int(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    package init(members: KeyValuePairs<String, any SettingValue>) { self = .object(JSONObject(members: members)) }
}

extension Sequence {
    /// An array with an object of members for each element.
    package func objects(_ members: (Element) -> KeyValuePairs<String, any SettingValue>) -> JSONValue {
        .array(map { JSONValue(members: members($0)) })
    }
}

extension JSONValue: Hashable {
    /// Compares strings by their bytes and numbers by their digits.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): UTF8Order.areEqual(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes strings by their bytes and numbers by their digits.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .boolean(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(UTF8Key(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `"text"`
    public init(stringLiteral value: String) { self = .string(value) }
    /// `true`
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// `12`
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// `0.5`
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
    /// `[1, "two"]`
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// `["a": 1]`
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}
