import AllotConfiguration
import AllotCore

package struct SettingTextError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

extension DeclaredSetting {
    package func text(of value: JSONValue) -> String {
        if let format, let text = format.text(of: value) { return text }
        return if case .string(let text) = value, valueType == "string" { text } else { value.flowText }
    }

    /// Reads a text of a form as a value of the setting, which may violate its constraints. A text is taken as it is,
    /// without quotes; where any type will do, what is not JSON is a text.
    package func value(ofText text: String) throws(SettingTextError) -> JSONValue {
        if let format { return value(ofText: text, format) }
        switch valueType {
        // Forms send line breaks as CR LF.
        case "string": return .string(text.replacing("\r\n", with: "\n"))
        case "boolean":
            switch text.trimmed.lowercased() {
            case "true", "on": return true
            case "false", "off": return false
            default: throw SettingTextError(description: "\(path) is a boolean; write true or false")
            }
        case "integer", "number":
            if let number = JSONNumber(text.trimmed) { return .number(number) }
            let (kind, example) = valueType == "integer" ? ("an integer", "2") : ("a number", "1.5")
            throw SettingTextError(
                description: "\(path) is \(kind); \(QuotedText(text)) is not, write one such as \(example)")
        case let type:
            do throws(JSONParsingError) {
                return try JSONValue(parsing: Array(text.utf8))
            } catch {
                if type == "null" { return .string(text) }
                throw SettingTextError(description: "\(path) is an \(type), which is written as JSON: \(error)")
            }
        }
    }
}

extension Definitions {
    /// The setting with a name such as `Checkout.Steps`. Returns `nil` if the base does not have it.
    package func setting(_ path: String) -> DeclaredSetting? { settings.first { UTF8Order.areEqual($0.path, path) } }
}
