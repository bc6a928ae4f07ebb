import AllotConfiguration

/// Objects that stand for what JSON has no type for, as Parse writes them: `{"__type": "Date", "iso": "…"}`.
///
/// An object of a type that is not known stays an object.
enum RichObject {
    static let typeName = "__type"

    /// The members of an object of a type; `nil` for any other value.
    static func members(of value: JSONValue, type: String) -> JSONObject? {
        guard case .object(let object) = value, let written = object.text(typeName), UTF8Order.areEqual(written, type)
        else { return nil }
        return object
    }

    /// The same, also for an object that does not say what it is.
    static func members(leniently value: JSONValue, type: String) -> JSONObject? {
        if case .object(let object) = value, object[typeName] == nil { return object }
        return members(of: value, type: type)
    }
}
