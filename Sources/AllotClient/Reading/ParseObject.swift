import AllotConfiguration

/// Objects by which Parse represents types that JSON does not have: `{"__type": "Date", "iso": "…"}`.
///
/// An object of an unknown type is just an object.
enum ParseObject {
    static let typeName = "__type"

    /// The members of an object of a type. Returns `nil` for any other value.
    static func members(of value: JSONValue, type: String) -> JSONObject? {
        guard let object = value.asObject, let written = object.text(typeName), UTF8Order.areEqual(written, type)
        else { return nil }
        return object
    }

    /// Converts the text of a member of an object of a type, or a plain text.
    ///
    /// - Throws: ``SettingValueError`` with the place of a text that cannot be converted.
    static func value<Value>(
        of json: JSONValue, type: String, _ member: String, expected: String, _ convert: (String) -> Value?
    ) throws(SettingValueError) -> Value {
        let members = members(of: json, type: type)
        let found = members.map { $0[member] } ?? json
        guard let text = found?.asText, let value = convert(text) else {
            throw SettingValueError(expected: expected, found: found, path: members == nil ? [] : [.member(member)])
        }
        return value
    }

    /// The same as ``members(of:type:)``, also for an object without a type.
    static func members(leniently value: JSONValue, type: String) -> JSONObject? {
        if let object = value.asObject, object[typeName] == nil { return object }
        return members(of: value, type: type)
    }
}
