import Logging

/// The two ways to write a message as one line, its end included.
enum LogLine {
    /// `2026-11-21T12:00:00.123Z info  allot-server message key=value key="quoted value"`
    ///
    /// A message that holds `=`, a quote or something to escape is quoted, too: it cannot pass for metadata.
    static func text(
        _ time: LogTime, _ level: Logger.Level, label: String, message: String, _ metadata: FlatMetadata
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(160)
        time.append(to: &line)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: level.rawValue.utf8)
        // As wide as the frequent levels.
        for _ in 0..<max(5 - level.rawValue.utf8.count, 0) + 1 { line.append(UInt8(ascii: " ")) }
        LogText.append(label, spaces: false, to: &line)
        line.append(UInt8(ascii: " "))
        LogText.append(message, spaces: true, to: &line)
        for (key, value) in metadata.entries {
            line.append(UInt8(ascii: " "))
            LogText.append(key, spaces: false, to: &line)
            line.append(UInt8(ascii: "="))
            switch value {
            case .string(let text): LogText.append(text, spaces: false, to: &line)
            case .stringConvertible(let value): LogText.append(value.description, spaces: false, to: &line)
            case .array, .dictionary:
                var json: [UInt8] = []
                append(value, to: &json)
                LogText.append(String(decoding: json, as: UTF8.self), spaces: false, to: &line)
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// `{"time":"2026-11-21T12:00:00.123Z","level":"info","logger":"allot-server","message":"…","metadata":{…}}`
    static func json(
        _ time: LogTime, _ level: Logger.Level, label: String, message: String, _ metadata: FlatMetadata
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(240)
        line.append(contentsOf: #"{"time":""#.utf8)
        time.append(to: &line)
        line.append(contentsOf: #"","level":""#.utf8)
        line.append(contentsOf: level.rawValue.utf8)
        line.append(contentsOf: #"","logger":"#.utf8)
        LogText.appendQuoted(label, to: &line)
        line.append(contentsOf: #","message":"#.utf8)
        LogText.appendQuoted(message, to: &line)
        line.append(contentsOf: #","metadata":"#.utf8)
        append(metadata, to: &line)
        line.append(contentsOf: "}\n".utf8)
        return line
    }

    private static func append(_ metadata: FlatMetadata, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, entry) in metadata.entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            LogText.appendQuoted(entry.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(entry.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func append(_ value: Logger.MetadataValue, to bytes: inout [UInt8]) {
        switch value {
        case .string(let text): LogText.appendQuoted(text, to: &bytes)
        case .stringConvertible(let value): append(convertible: value, to: &bytes)
        case .dictionary(let members): append(FlatMetadata(members), to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Numbers and truth values that JSON has stay what they are, anything else becomes text.
    private static func append(convertible value: any CustomStringConvertible & Sendable, to bytes: inout [UInt8]) {
        switch value {
        case is Bool, is Int, is Int32, is Int64, is UInt, is UInt16, is UInt32, is UInt64:
            bytes.append(contentsOf: value.description.utf8)
        case let number as Double where number.isFinite: bytes.append(contentsOf: number.description.utf8)
        default: LogText.appendQuoted(value.description, to: &bytes)
        }
    }
}
