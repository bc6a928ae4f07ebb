import AllotConfiguration
import AllotCore

extension DeclaredSetting {
    /// The members that a form has in place of one item for the value; empty if it has one.
    package var formMembers: [SettingFormat.Member] { control == .field ? format?.formMembers ?? [] : [] }

    package static func itemName(_ member: SettingFormat.Member, of name: String) -> String {
        "\(member.rawValue).\(name)"
    }

    /// The text of a value in a form, composed of its members if the form has those. Returns `nil` if it has neither.
    package func text(ofItem name: String, _ item: (String) -> String?) -> String? {
        if let text = item(name) { return format?.text(ofInput: text) ?? text }
        let texts = formMembers.compactMap { member in
            item(Self.itemName(member, of: name)).map { (member: member, text: $0) }
        }
        guard !texts.isEmpty else { return nil }
        return format?.object(ofInputs: texts).map { JSONValue.object($0).flowText } ?? ""
    }

    /// Reads a text of a form as a value, which may not have the format.
    func value(ofText text: String, _ format: SettingFormat) -> JSONValue {
        switch format {
        case .date: return .string(text.trimmed)
        case .dateTime:
            let instant = Instant(text.trimmed)
            // The notation of an unchanged instant stays.
            let isUnchanged = instant != nil && instant == format.text(of: self.value).flatMap { Instant($0) }
            return isUnchanged ? self.value : value(ofOnlyText: text.trimmed, format)
        case .bytes: return value(ofOnlyText: format.text(ofInput: text), format)
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
