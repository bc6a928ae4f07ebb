import Allot
import AllotConfiguration
import AllotDefinitions
import Glibc
public import Logging

/// Writes each message as one line on standard error: text for people, or JSON for machines.
///
/// Whatever a message holds, it stays on its line: control characters are escaped.
public struct ServerLogHandler: LogHandler {
    /// How lines are written.
    public enum Format: Sendable {
        /// `2026-11-21T12:00:00.123Z info allot-server: message key=value`
        case text
        /// `{"level":"info","logger":"allot-server","message":…,"metadata":{…},"time":…}`
        case json
    }

    public var metadata: Logger.Metadata = [:]
    public var logLevel = Logger.Level.info
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let now: @Sendable () -> Instant
    private let write: @Sendable ([UInt8]) -> Void

    /// Logs to standard error.
    public init(label: String, format: Format) {
        self.init(label: label, format: format, now: { .now }, write: Self.writeToStandardError)
    }

    init(
        label: String, format: Format, now: @escaping @Sendable () -> Instant,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = label
        self.format = format
        self.now = now
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let metadataProvider { all.merge(metadataProvider.get()) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        let time = now().millisecondText
        let message = "\(event.message)"
        switch format {
        case .text:
            let fields = all.sorted { $0.key < $1.key }.map { " \(Self.shown($0.key))=\(Self.shown("\($0.value)"))" }
            let line = "\(time) \(event.level.rawValue) \(label): \(message.onOneLineText)\(fields.joined())\n"
            write(Array(line.utf8))
        case .json:
            let line: JSONValue = [
                "level": .string(event.level.rawValue), "logger": .string(label), "message": .string(message),
                "metadata": .object(JSONObject(all.map { (key: $0.key, value: Self.json($0.value)) })),
                "time": .string(time),
            ]
            write(line.canonicalBytes + [UInt8(ascii: "\n")])
        }
    }

    // One call for each line, so that lines of several threads do not mix.
    private static func writeToStandardError(_ line: [UInt8]) {
        var written = 0
        line.withUnsafeBytes { bytes in
            while written < bytes.count, let base = bytes.baseAddress {
                let count = Glibc.write(2, base + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                written += count
            }
        }
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let members): .object(JSONObject(members.map { (key: $0.key, value: json($0.value)) }))
        }
    }

    /// A key or value, in quotes where it would not be one word.
    private static func shown(_ text: String) -> String {
        let isWord =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "\"" && $0 != "=" }
        return isWord ? text.onOneLineText : JSONValue.string(text).canonicalText.onOneLineText
    }
}

extension String {
    /// The text with characters escaped that would break its line or move a terminal's cursor.
    fileprivate var onOneLineText: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Instant {
    /// The instant in RFC 3339, in UTC, with three digits of a second.
    fileprivate var millisecondText: String {
        let whole = Instant(seconds: seconds).description.dropLast()
        let thousandths = String(1000 + nanoseconds / 1_000_000).dropFirst()
        return "\(whole).\(thousandths)Z"
    }
}
