public import AllotConfiguration

extension Optional: SettingValue where Wrapped: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "\(Wrapped.expectation), or null" }

    /// Accepts null, which is `nil`, and what the wrapped type accepts.
    public init(strict json: JSONValue) throws(SettingValueError) {
        self = json == .null ? .none : .some(try Wrapped(strict: json))
    }

    /// Accepts null, which is `nil`, and what the wrapped type accepts leniently.
    public init?(lenient json: JSONValue) {
        if json == .null {
            self = .none
        } else if let wrapped = Wrapped(lenient: json) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }

    /// The value as JSON.
    public var json: JSONValue { self?.json ?? .null }
}

extension Array: SettingValue where Element: SettingValue {
    /// The expected value, for messages.
    public static var expectation: String { "an array with, for each element, \(Element.expectation)" }

    /// Accepts arrays whose elements are all accepted.
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let values = json.asArray else { throw Self.mismatch(json) }
        self = []
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            append(try Element(strict: value, at: .element(index)))
        }
    }

    /// Accepts arrays whose elements are all accepted leniently; none is omitted.
    public init?(lenient json: JSONValue) {
        guard let values = json.asArray else { return nil }
        self = values.compactMap(Element.init(lenient:))
        guard count == values.count else { return nil }
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
    public init(strict json: JSONValue) throws(SettingValueError) {
        guard let object = json.asObject else { throw Self.mismatch(json) }
        self.init(minimumCapacity: object.members.count)
        for member in object.members {
            let value = try Value(strict: member.value, at: .member(member.key))
            guard updateValue(value, forKey: member.key) == nil else {
                throw SettingValueError(
                    expected: "one member of this name (another is canonically equivalent)", found: member.value,
                    path: [.member(member.key)])
            }
        }
    }

    /// Accepts objects whose members are all accepted leniently; none is omitted.
    public init?(lenient json: JSONValue) {
        guard let object = json.asObject else { return nil }
        self.init(minimumCapacity: object.members.count)
        for member in object.members {
            guard let value = Value(lenient: member.value), updateValue(value, forKey: member.key) == nil else {
                return nil
            }
        }
    }

    /// The value as JSON.
    public var json: JSONValue { .object(JSONObject(map { ($0.key, $0.value.json) })) }
}
