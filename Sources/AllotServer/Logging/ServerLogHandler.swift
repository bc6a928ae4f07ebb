import AllotConfiguration
import AllotDefinitions
import Logging

/// Writes each message as one line on standard error: text for people, or JSON for machines. `Sendable`.
///
///     LoggingSystem.bootstrap { ServerLogHandler(label: $0, format: .json) }
///
/// Whatever a message, a key or a value holds, it stays on its line and in its place: what would break the line or
/// drive a terminal is escaped. Metadata of the message goes before that of the provider, which goes before the
/// logger's own; nested dictionaries are written flat, as `request.id`. An error is `error.message` and `error.type`.
public struct ServerLogHandler: LogHandler {
    /// How lines are written.
    public enum Format: Sendable {
        /// `2026-11-21T12:00:00.123Z info  allot-server message key=value key="quoted value"`
        case text
        /// `{"time":"…","level":"info","logger":"allot-server","message":"…","metadata":{…}}`
        case json
    }

    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let sink: LogSink
    private let now: @Sendable () -> Instant

    /// Logs to standard error.
    ///
    /// - Parameters:
    ///   - label: the name of the logger.
    ///   - level: the lowest level that is written.
    ///   - metadataProvider: gives metadata of the task that logs.
    public init(
        label: String, format: Format, level: Logger.Level = .info, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.init(
            label: label, format: format, level: level, metadataProvider: metadataProvider, sink: .standardError,
            now: { .now })
    }

    init(
        label: String, format: Format, level: Logger.Level = .info, metadataProvider: Logger.MetadataProvider? = nil,
        sink: LogSink, now: @escaping @Sendable () -> Instant
    ) {
        self.label = label
        self.format = format
        logLevel = level
        self.metadataProvider = metadataProvider
        self.sink = sink
        self.now = now
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let time = now()
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let error = event.error {
            all["error.message"] = "\(error)"
            all["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        let line = LogLine(
            time: time, level: event.level, label: label, message: event.message.description,
            metadata: FlatMetadata(all))
        sink.write(Array("\(format == .json ? line.json : line.text)\n".utf8))
    }
}
