import AllotConfiguration
import Logging

enum LogText {
    /// Metadata as ` key=value key="quoted value"`.
    static func fields(_ metadata: Logger.Metadata) -> String {
        flat(metadata).map { key, value in
            let text =
                switch value {
                case .string(let text): text
                case .stringConvertible(let value): value.description
                case .array, .dictionary: json(value)
                }
            return " \(field(key))=\(field(text))"
        }.joined()
    }

    /// Text that cannot be mistaken for anything else as it is, otherwise as a JSON string: none can pass for metadata.
    static func field(_ text: String, spaces: Bool = false) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "\"", "\\", "=": false
            case " ": spaces
            default: !PrintableText.isHidden(scalar) && !scalar.properties.isWhitespace
            }
        }
        return isPlain && !text.isEmpty ? text : PrintableText.jsonString(text)
    }

    /// A value as JSON. Numbers and booleans that JSON can represent stay what they are; anything else becomes text.
    static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .dictionary(let members):
            let entries = flat(members).map { "\(PrintableText.jsonString($0.key)):\(json($0.value))" }
            return "{\(entries.joined(separator: ","))}"
        case .array(let values): return "[\(values.map(json).joined(separator: ","))]"
        case .string(let text): return PrintableText.jsonString(text)
        case .stringConvertible(let value):
            switch value {
            case is Bool, is Int, is Int32, is Int64, is UInt, is UInt16, is UInt32, is UInt64: return value.description
            case let number as Double where number.isFinite: return number.description
            default: return PrintableText.jsonString(value.description)
            }
        }
    }

    /// Metadata by key without nested dictionaries: `request.id`. The less deeply nested of two with one key wins.
    private static func flat(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
        var flat = Logger.Metadata(minimumCapacity: metadata.count)
        var rest = [(prefix: "", members: metadata)][...]
        while let (prefix, members) = rest.popFirst() {
            // In order: the order of a dictionary differs from run to run.
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                if case .dictionary(let nested) = value, !nested.isEmpty {
                    rest.append(("\(prefix)\(key).", nested))
                } else if flat[prefix + key] == nil {
                    flat[prefix + key] = value
                }
            }
        }
        return flat.sorted { $0.key < $1.key }
    }
}
