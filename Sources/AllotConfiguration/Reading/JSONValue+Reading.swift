/// Typed reading. A value is never converted to another type; numbers are compared by their values.
extension JSONValue {
    /// The text of a string. Returns `nil` for any other value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The number as an `Int`, however it is written: 10, 10.0 or 1e1. Returns `nil` for a number with a fraction, a
    /// number out of range, and any other value.
    public var integer: Int? { asNumber.flatMap { Int(exactly: $0) } }
    /// The nearest `Double`. Returns `nil` for a number out of range, and any other value.
    public var double: Double? { asNumber.flatMap { Double(nearest: $0) } }
    /// The boolean. Returns `nil` for any other value.
    public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    /// Decodes a `Decodable` type. Types that conform to ``SettingValue`` are converted by their own initialiser.
    ///
    /// ```swift
    /// struct Fee: Decodable { var amount: Double, currency: String }
    ///
    /// let value: JSONValue = ["amount": 4.90, "currency": "EUR"]
    /// print(try value.decode(Fee.self).amount)  // 4.9
    /// ```
    ///
    /// - Throws: `DecodingError` with the path to the faulty value; errors of the type's own initialiser.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try ValueDecoder(value: self, codingPath: [], place: .value, didRead: { _, _ in }).decoded(as: type)
    }

    package var asObject: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var asArray: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var asNumber: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    package subscript(path: some Sequence<String>) -> JSONValue? {
        path.reduce(Optional(self)) { value, key in value?.asObject?[key] }
    }
}

extension JSONObject {
    /// The object under a name. Returns `nil` for any other value.
    package func object(_ name: String) -> JSONObject? { self[name]?.asObject }
}
