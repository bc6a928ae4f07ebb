import AllotConfiguration

/// Objects that stand for what JSON has no type for, as Parse writes them: `{"__type": "Date", "iso": "…"}`.
///
/// An object of a type that is not known stays an object.
enum ParseObject {
    static let typeName = "__type"

    /// The members of an object of a type; `nil` for any other value.
    static func members(of value: JSONValue, type: String) -> JSONObject? {
        guard case .object(let object) = value, let written = object.text(typeName), UTF8Order.areEqual(written, type)
        else { return nil }
        return object
    }

    /// What is made of the text of a member of an object of a type, or of a text that stands for itself.
    ///
    /// - Throws: ``SettingValueError`` with the place of the text that nothing can be made of.
    static func value<Value>(
        of json: JSONValue, type: String, _ member: String, expected: String, _ convert: (String) -> Value?
    ) throws(SettingValueError) -> Value {
        let members = members(of: json, type: type)
        let found = members.map { $0[member] } ?? json
        guard case .string(let text)? = found, let value = convert(text) else {
            throw SettingValueError(expected: expected, found: found, path: members == nil ? [] : [.member(member)])
        }
        return value
    }

    /// The same as ``members(of:type:)``, also for an object that does not say what it is.
    static func members(leniently value: JSONValue, type: String) -> JSONObject? {
        if case .object(let object) = value, object[typeName] == nil { return object }
        return members(of: value, type: type)
    }
}
