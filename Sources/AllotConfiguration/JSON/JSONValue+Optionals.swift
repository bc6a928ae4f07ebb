extension JSONValue {
    /// A whole number; null for `nil`.
    package static func int(_ value: Int?) -> JSONValue {
        value.map { .number(JSONNumber($0)) } ?? .null
    }

    /// Text; null for `nil`.
    package static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    /// A list of texts.
    package static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map(JSONValue.string))
    }
}
