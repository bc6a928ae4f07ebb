import AllotConfiguration

/// Who is asked about: named facts, the unit ID among them.
///
///     Subject(id: "user-42", attributes: ["country": "DE", "seats": 12])
public struct Subject: Sendable {
    /// A value and how it is to be read.
    package enum Value: Sendable {
        /// JSON, which keeps its type.
        case typed(JSONValue)
        /// Text from CSV, a query string or a command line, which is read as the type that a condition asks for.
        case untyped(String)
    }

    package private(set) var values: [UTF8Key: Value] = [:]

    /// The attribute that is the unit ID where a definition names no other.
    public static let defaultUnit = UnitContract.defaultAttribute

    /// A subject without attributes: it is no unit of any experiment and gets the base configuration.
    public init() {}

    /// A subject with typed attributes.
    ///
    /// - Parameter id: the unit ID, kept as the attribute `user_id`.
    /// - Parameter attributes: The other attributes.
    public init(id: String, attributes: JSONObject = [:]) {
        self.init(attributes: attributes)
        values[UTF8Key(Self.defaultUnit)] = .typed(.string(id))
    }

    /// A subject whose unit IDs are among its typed attributes. A whole number counts as a unit ID by its digits.
    public init(attributes: JSONObject) {
        for member in attributes.members { values[UTF8Key(member.key)] = .typed(member.value) }
    }

    /// Sets an attribute of a type.
    public mutating func setTyped(_ name: String, _ value: JSONValue) {
        values[UTF8Key(name)] = .typed(value)
    }

    /// Sets an attribute that came as text without a type. An empty text removes the attribute.
    public mutating func setUntyped(_ name: String, _ text: String) {
        values[UTF8Key(name)] = text.isEmpty ? nil : .untyped(text)
    }

    /// The names of all attributes, in byte order.
    public var attributeNames: [String] {
        values.keys.sorted().map(\.text)
    }
}
