import AllotConfiguration
import AllotCore

/// Values of a format in forms: a day, an instant and bytes are one text; a place and a file have an item for each
/// member of their object.
extension DeclaredSetting {
    /// The members that a form has in place of one item for the value; empty if it has one.
    package var formMembers: [SettingFormat.Member] {
        guard let format, format.members.count > 1, control == .field else { return [] }
        return format.members
    }

    /// The name of a member's item in a form.
    ///
    /// - Parameter name: the name of the value's item.
    package static func itemName(_ member: SettingFormat.Member, of name: String) -> String {
        "\(member.rawValue).\(name)"
    }

    /// The text of a value in a form, composed of its members if the form has those. Returns `nil` if it has neither.
    ///
    /// An instant without an offset is in UTC, as the form says next to a control for dates and times.
    ///
    /// - Parameters:
    ///   - name: the name of the value's item.
    ///   - item: returns the text of an item; `nil` if the form does not have it.
    package func text(ofItem name: String, _ item: (String) -> String?) -> String? {
        if let text = item(name) {
            return format == .dateTime ? Instant("\(text.trimmed)Z")?.description ?? text : text
        }
        let texts = formMembers.compactMap { member in
            item(Self.itemName(member, of: name)).map { (member, text: $0.trimmed) }
        }
        guard !texts.isEmpty else { return nil }
        let written = texts.filter { !$0.text.isEmpty }
        guard !written.isEmpty, let type = format?.parseType else { return "" }
        var object: JSONObject = [SettingFormat.typeKey: .string(type)]
        for (member, text) in written {
            let number = member.isNumber ? JSONNumber(text) : nil
            object[member.rawValue] = number.map(JSONValue.number) ?? .string(text)
        }
        return JSONValue.object(object).flowText
    }

    /// The text of a value that is text, or an object with nothing but a text. Returns `nil` for any other value.
    func formattedText(of value: JSONValue, _ format: SettingFormat) -> String? {
        if case .string(let text) = value { return text }
        guard format.members.count == 1, let member = format.members.first else { return nil }
        return value.asObject?[member.rawValue]?.text
    }

    /// Reads a text of a form as a value, which may not have the format.
    func value(ofText text: String, _ format: SettingFormat) -> JSONValue {
        switch format {
        case .date: return .string(text.trimmed)
        case .dateTime:
            let instant = Instant(text.trimmed)
            // The notation of an unchanged instant stays.
            let isUnchanged = instant != nil && instant == formattedText(of: self.value, format).flatMap { Instant($0) }
            return isUnchanged ? self.value : value(ofOnlyText: text.trimmed, format)
        // Long texts are often copied with line breaks.
        case .bytes: return value(ofOnlyText: text.filter { !$0.isWhitespace }, format)
        case .geoPoint, .file: return (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text)
        }
    }

    /// A text as the base has it: by itself or in an object.
    private func value(ofOnlyText text: String, _ format: SettingFormat) -> JSONValue {
        guard valueType == "object", let type = format.parseType, let member = format.members.first else {
            return .string(text)
        }
        return [SettingFormat.typeKey: .string(type), member.rawValue: .string(text)]
    }
}
