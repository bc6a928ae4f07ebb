import AllotConfiguration

/// The unit to decide on: named attributes, including the unit ID.
///
/// ```swift
/// let subject = Subject(id: "user-42", attributes: ["country": "DE", "seats": 12])
///
/// // Text without types, as from a query string or CSV:
/// var untyped = Subject()
/// untyped.setUntyped("user_id", "user-42")
/// untyped.setUntyped("seats", "12")
/// ```
public struct Subject: Sendable {
    /// A value, and how conditions read it.
    package enum Value: Sendable, Hashable {
        case typed(JSONValue)
        /// Text from CSV, a query string or a command line, which is read as the type of a condition's literal.
        case untyped(String)
    }

    package private(set) var values: [UTF8Key: Value] = [:]
    /// The attributes that were set to an empty text: the subject is known not to have them.
    private var absent: Set<UTF8Key> = []
    /// The default attribute of unit IDs.
    public static let defaultUnit = UnitContract.defaultAttribute

    /// Creates a subject without attributes, which takes part in no experiment and receives the base configuration.
    public init() {}

    /// Creates a subject with typed attributes.
    ///
    /// - Parameters:
    ///   - id: the unit ID, which becomes the attribute `user_id`.
    ///   - attributes: the other attributes.
    public init(id: String, attributes: JSONObject = [:]) {
        self.init(attributes: attributes)
        values[UTF8Key(Self.defaultUnit)] = .typed(.string(id))
    }

    /// Creates a subject whose unit IDs are among its typed attributes. The digits of a whole number can be a unit ID.
    public init(attributes: JSONObject) {
        for member in attributes.members { values[UTF8Key(member.key)] = .typed(member.value) }
    }

    /// Sets a typed attribute.
    public mutating func setTyped(_ name: String, _ value: JSONValue) {
        values[UTF8Key(name)] = .typed(value)
        absent.remove(UTF8Key(name))
    }

    /// Sets an attribute from text without a type. An empty text removes the attribute: it says that the subject does
    /// not have it.
    public mutating func setUntyped(_ name: String, _ text: String) {
        values[UTF8Key(name)] = text.isEmpty ? nil : .untyped(text)
        if text.isEmpty { absent.insert(UTF8Key(name)) } else { absent.remove(UTF8Key(name)) }
    }

    /// Whether an attribute was given: with a value, or as one that the subject does not have. Dots in its name lead
    /// into objects; a subject that does not have the object does not have its members.
    package func isGiven(_ name: String) -> Bool {
        if value(of: name) != nil || absent.contains(UTF8Key(name)) { return true }
        guard AttributePath.leadsIntoObject(name) else { return false }
        let parts = AttributePath.parts(of: name)
        return (1..<parts.count).contains { hasNoMembers(parts.prefix($0).joined(separator: ".")) }
    }

    /// Whether the subject does not have an attribute, or has one of a type other than that of objects.
    private func hasNoMembers(_ name: String) -> Bool {
        switch value(of: name) {
        case .typed(.object), .untyped: false
        case .typed: true
        case nil: absent.contains(UTF8Key(name))
        }
    }

    /// The value of an attribute as it was given. Dots in its name lead into objects unless the name itself is given.
    package func value(of name: String) -> Value? { values[UTF8Key(name)] ?? nested(name).map(Value.typed) }

    /// The ID of a unit; `nil` if it, or one of its parts, is missing or not valid.
    package func unitID(_ unit: String) -> String? {
        let parts = CompositeUnit.parts(of: unit).map { value(of: $0)?.unitID }
        let given = parts.compactMap { $0 }
        return given.count == parts.count ? CompositeUnit.join(given) : nil
    }

    private func nested(_ name: String) -> JSONValue? {
        guard AttributePath.leadsIntoObject(name) else { return nil }
        let parts = AttributePath.parts(of: name)
        guard case .typed(var value) = values[UTF8Key(parts[0])] else { return nil }
        for part in parts.dropFirst() {
            guard case .object(let object) = value, let member = object[part] else { return nil }
            value = member
        }
        return value
    }

    package var attributeNames: [String] { values.keys.sorted().map(\.text) }
}
