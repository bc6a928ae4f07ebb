extension Bool: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "true or false" }

    /// Accepts true and false.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let value = json.boolean else { throw Self.mismatch(json) }
        self = value
    }

    /// The value as JSON.
    public var json: JSONValue { .boolean(self) }
}

extension SettingValue where Self: FixedWidthInteger {
    /// The expected value, for messages.
    public static var expectation: String { "a whole number" }

    /// Accepts whole numbers in the type's range, however they are written (10, 10.0 and 1e1 are the same).
    public init(json: JSONValue) throws(SettingValueError) {
        guard let number = json.asNumber else { throw Self.mismatch(json) }
        guard let value = Self(exactly: number) else {
            let range = number.decimal.isWhole ? " from \(Self.min) to \(Self.max)" : ""
            throw SettingValueError(expected: Self.expectation + range, found: json)
        }
        self = value
    }

    /// The value as JSON.
    public var json: JSONValue { .number(JSONNumber(self)) }

    package init?(exactly number: JSONNumber) {
        let isPlain = number.isWrittenAsInteger
        guard let value = Self(number.text) ?? (isPlain ? nil : number.decimal.whole(Self.self)) else { return nil }
        self = value
    }
}

extension Int: SettingValue {}
extension Int8: SettingValue {}
extension Int16: SettingValue {}
extension Int32: SettingValue {}
extension Int64: SettingValue {}
extension UInt: SettingValue {}
extension UInt8: SettingValue {}
extension UInt16: SettingValue {}
extension UInt32: SettingValue {}
extension UInt64: SettingValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: SettingValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: SettingValue {}

extension SettingValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The expected value, for messages.
    public static var expectation: String { "a number" }

    /// Accepts numbers in the type's range, rounded to the nearest value.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let number = json.asNumber else { throw Self.mismatch(json) }
        guard let value = Self(nearest: number) else {
            let limit = Self.greatestFiniteMagnitude
            throw SettingValueError(expected: "\(Self.expectation) from -\(limit) to \(limit)", found: json)
        }
        self = value
    }

    /// The nearest finite value. Returns `nil` beyond the type's range.
    package init?(nearest number: JSONNumber) {
        guard let value = Self(number.text), value.isFinite else { return nil }
        self = value
    }
}

extension Double: SettingValue {
    /// The value as JSON.
    public var json: JSONValue { JSONNumber(self).map(JSONValue.number) ?? .null }
}

extension Float: SettingValue {
    /// The value as JSON.
    public var json: JSONValue {
        // Its own shortest digits, since those of the double with the same value are longer.
        JSONNumber(description).map(JSONValue.number) ?? .null
    }
}

extension String: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "text" }

    /// Accepts text.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let text = json.text else { throw Self.mismatch(json) }
        self = text
    }

    /// The value as JSON.
    public var json: JSONValue { .string(self) }
}

extension JSONValue: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "any value" }
    /// Accepts any value.
    public init(json: JSONValue) { self = json }
    /// The value as JSON.
    public var json: JSONValue { self }
}

extension JSONObject: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "an object" }

    /// Accepts objects.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let object = json.asObject else { throw Self.mismatch(json) }
        self = object
    }

    /// The value as JSON.
    public var json: JSONValue { .object(self) }
}

extension Optional: SettingValue where Wrapped: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "\(Wrapped.expectation), or null" }

    /// Accepts null, which is `nil`, and what the wrapped type accepts.
    public init(json: JSONValue) throws(SettingValueError) {
        self = json == .null ? .none : .some(try Wrapped(json: json))
    }

    /// The value as JSON.
    public var json: JSONValue { self?.json ?? .null }
}

extension Array: SettingValue where Element: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "an array with, for each element, \(Element.expectation)" }

    /// Accepts arrays whose elements are all accepted.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let values = json.asArray else { throw Self.mismatch(json) }
        self = []
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() { append(try Element(json: value, at: .element(index))) }
    }

    /// The value as JSON.
    public var json: JSONValue { .array(map(\.json)) }
}

extension Dictionary: SettingValue where Key == String, Value: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "an object with, for each member, \(Value.expectation)" }

    /// Accepts objects whose members are all accepted, and whose names are different in Swift.
    ///
    /// JSON compares names by bytes, Swift by characters; `JSONObject` keeps all members.
    public init(json: JSONValue) throws(SettingValueError) {
        guard let object = json.asObject else { throw Self.mismatch(json) }
        self.init(minimumCapacity: object.members.count)
        for member in object.members {
            let value = try Value(json: member.value, at: .member(member.key))
            guard updateValue(value, forKey: member.key) == nil else {
                throw SettingValueError(
                    expected: "one member of this name (another is canonically equivalent)", found: member.value,
                    path: [.member(member.key)])
            }
        }
    }

    /// The value as JSON.
    public var json: JSONValue { .object(JSONObject(map { ($0.key, $0.value.json) })) }
}
