/// Values of formats in forms: a day, an instant and bytes are one text; a place and a file have an item for each
/// member of their object.
extension SettingFormat {
    /// The members that a form has in place of one item for the value; empty if it has one.
    package var formMembers: [Member] { members.count > 1 ? members : [] }

    /// The text of a value that is text, or an object with nothing but a text. Returns `nil` for any other value.
    package func text(of value: JSONValue) -> String? {
        if case .string(let text) = value { return text }
        guard members.count == 1, let member = members.first else { return nil }
        return value.asObject?[member.rawValue]?.text
    }

    /// The type of an input for days, or for instants in UTC, and its value. Returns `nil` for other formats, and for
    /// a text that such an input would not show: one with a fault, or finer than milliseconds.
    package func input(_ text: String) -> (type: String, value: String)? {
        switch self {
        case .date:
            guard text.isEmpty || fault(of: .string(text)) == nil else { return nil }
            return ("date", text)
        case .dateTime:
            if text.isEmpty { return ("datetime-local", "") }
            guard fault(of: .string(text)) == nil, let instant = Instant(text),
                instant.nanoseconds.isMultiple(of: 1_000_000)
            else { return nil }
            return ("datetime-local", String(instant.description.dropLast()))
        case .geoPoint, .file, .bytes: return nil
        }
    }

    /// The text of a form's item as a value has it: an instant without an offset is in UTC, as the form says next to
    /// the input, and long base 64 is often copied with line breaks.
    package func text(ofInput text: String) -> String {
        switch self {
        case .dateTime: Instant("\(text.trimmed)Z")?.description ?? text
        case .bytes: text.filter { !$0.isWhitespace }
        case .date, .geoPoint, .file: text
        }
    }

    /// Parse's object of the texts of its members in a form, which may not have the format. Returns `nil` if all are
    /// empty.
    package func object(ofInputs texts: [(member: Member, text: String)]) -> JSONObject? {
        let written = texts.map { (member: $0.member, text: $0.text.trimmed) }.filter { !$0.text.isEmpty }
        guard !written.isEmpty, let parseType else { return nil }
        var object: JSONObject = [Self.typeKey: .string(parseType)]
        for (member, text) in written {
            let number = member.isNumber ? JSONNumber(text) : nil
            object[member.rawValue] = number.map(JSONValue.number) ?? .string(text)
        }
        return object
    }
}

extension SettingFormat.Member {
    package var inputType: String { isNumber ? "number" : self == .url ? "url" : "text" }
    /// The step of a number's input: a size is a whole number.
    package var inputStep: String { self == .size ? "1" : "any" }
}
