import Allot
import AllotConfiguration

extension SourceNode {
    /// The value without positions.
    var json: JSONValue {
        switch content {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let digits): .number(JSONNumber(unchecked: digits))
        case .text(let text): .string(text)
        case .list(let elements): .array(elements.map(\.json))
        case .map(let entries): .object(JSONObject(entries.map { (key: $0.key, value: $0.value.json) }))
        }
    }

    /// Whether the value is null, or was left out.
    var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// What the value is, for messages about its type.
    var described: String {
        switch content {
        case .null: "null"
        case .list: "a list"
        case .map: "a map"
        case .boolean, .number, .text: json.described
        }
    }
}
