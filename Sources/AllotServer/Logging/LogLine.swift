import AllotConfiguration
import Logging

/// A message that is written as one line, in one of two ways. `Sendable`.
struct LogLine: Sendable {
    let time: Instant
    let level: Logger.Level
    let label: String
    let message: String
    let metadata: FlatMetadata

    /// `2026-11-21T12:00:00.123Z info  allot-server message key=value key="quoted value"`
    ///
    /// A message that contains `=`, a quote or a hidden character is quoted, so that it cannot pass for metadata.
    var text: String {
        // As wide as the frequent levels.
        let level = level.rawValue.rightPadded(to: 5)
        var line = "\(timeText) \(level) \(Self.field(label)) \(Self.field(message, spaces: true))"
        for (key, value) in metadata.entries {
            let text =
                switch value {
                case .string(let text): text
                case .stringConvertible(let value): value.description
                case .array, .dictionary: Self.json(value)
                }
            line += " \(Self.field(key))=\(Self.field(text))"
        }
        return line
    }

    /// `{"time":"2026-11-21T12:00:00.123Z","level":"info","logger":"allot-server","message":"…","metadata":{…}}`
    var json: String {
        #"{"time":"\#(timeText)","level":"\#(level.rawValue)","logger":\#(PrintableText.jsonString(label)),"#
            + #""message":\#(PrintableText.jsonString(message)),"metadata":\#(Self.json(metadata))}"#
    }

    private var timeText: String {
        time.text(.milliseconds)
    }

    /// Text as it is where that cannot be mistaken for anything else, otherwise as a JSON string.
    ///
    /// - Parameter spaces: whether the text may contain spaces without quotes.
    private static func field(_ text: String, spaces: Bool = false) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "\"", "\\", "=": false
            case " ": spaces
            default: !PrintableText.isHidden(scalar) && !scalar.properties.isWhitespace
            }
        }
        return isPlain && !text.isEmpty ? text : PrintableText.jsonString(text)
    }

    private static func json(_ metadata: FlatMetadata) -> String {
        let members = metadata.entries.map { "\(PrintableText.jsonString($0.key)):\(json($0.value))" }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): PrintableText.jsonString(text)
        case .stringConvertible(let value): json(value)
        case .dictionary(let members): json(FlatMetadata(members))
        case .array(let values): "[\(values.map(json).joined(separator: ","))]"
        }
    }

    /// Numbers and booleans that JSON can represent stay what they are; anything else becomes text.
    private static func json(_ value: any CustomStringConvertible & Sendable) -> String {
        switch value {
        case is Bool, is Int, is Int32, is Int64, is UInt, is UInt16, is UInt32, is UInt64: value.description
        case let number as Double where number.isFinite: number.description
        default: PrintableText.jsonString(value.description)
        }
    }
}

/// Metadata without nested dictionaries: `["request": ["id": 7]]` is `request.id`. Sorted by key. `Sendable`.
///
/// If two entries get the same key, the one that was nested less deeply wins.
struct FlatMetadata: Sendable {
    let entries: [(key: String, value: Logger.MetadataValue)]

    init(_ metadata: Logger.Metadata) {
        var flat = Logger.Metadata(minimumCapacity: metadata.count)
        Self.add(metadata, prefix: "", to: &flat)
        entries = flat.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    private static func add(_ metadata: Logger.Metadata, prefix: String, to flat: inout Logger.Metadata) {
        var nested: [(key: String, members: Logger.Metadata)] = []
        for (key, value) in metadata {
            if case .dictionary(let members) = value, !members.isEmpty {
                nested.append((prefix + key, members))
            } else if flat[prefix + key] == nil {
                flat[prefix + key] = value
            }
        }
        // In order: the order of a dictionary differs from run to run.
        for (key, members) in nested.sorted(by: { $0.key < $1.key }) { add(members, prefix: key + ".", to: &flat) }
    }
}
