import AllotConfiguration
import Logging

/// Writes each message as one line on standard error: text for people, or JSON for machines. `Sendable`.
///
/// ```swift
/// import Logging
///
/// LoggingSystem.bootstrap { ServerLogHandler(label: $0, format: .json) }
/// ```
///
/// Every message, key and value stays on its line and in its place: characters that would break the line or control a
/// terminal are escaped. Metadata of the message takes precedence over that of the provider, which takes precedence
/// over the logger's own. Nested dictionaries are written flat, as `request.id`. An error is `error.message` and
/// `error.type`.
///
/// Logging never waits for the reader of standard error. Lines are written in their order by one thread; up to 1 MiB of
/// them waits for a reader that is slow or stopped. What does not fit is dropped, counted in the metric
/// `allot_log_lines_dropped_total`, and reported by a line once everything that waited is written. When the process
/// exits, what waits is written, for a second at most; a process that is killed or crashes loses it.
public struct ServerLogHandler: LogHandler {
    /// The form of the lines. `Sendable`.
    public enum Format: String, CaseIterable, Sendable {
        /// `2026-11-21T12:00:00.123Z info  allot-server message key=value key="quoted value"`
        case text
        /// `{"time":"…","level":"info","logger":"allot-server","message":"…","metadata":{…}}`
        case json
    }

    /// The logger's own metadata.
    public var metadata: Logger.Metadata = [:]
    /// The lowest level that is written.
    public var logLevel: Logger.Level
    /// The provider of the metadata of the task that logs.
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let format: Format
    /// Takes a line, and the maker of the line that says how many were dropped.
    var write: @Sendable ([UInt8], @escaping LogSink.Notice) -> Void = { LogSink.standardError.write($0, notice: $1) }
    var now: @Sendable () -> Instant = { .now }

    /// Logs to standard error, with the metadata of the task that logs, if there is a provider of it.
    public init(
        label: String, format: Format, level: Logger.Level = .info, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        (self.label, self.format) = (label, format)
        logLevel = level
        self.metadataProvider = metadataProvider
    }

    /// One value of ``metadata``.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a message.
    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let error = event.error {
            all["error.message"] = "\("\(error)".shortened(toBytes: Self.longestMessage))"
            all["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        write(line(event.level, event.message.description.shortened(toBytes: Self.longestMessage), all)) { dropped in
            let cause = "because their reader was slow or they were too long"
            return line(.warning, "\(dropped) log lines were dropped, \(cause)", [:])
        }
    }

    /// The most bytes of a message that are written: an expression in a definition may be as long as its file.
    private static let longestMessage = 16 * 1024

    /// The line of a message, with its line feed.
    private func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> [UInt8] {
        let time = now().text(.milliseconds)
        let line =
            switch format {
            case .text:
                // Levels are as wide as the frequent ones.
                "\(time) \(level.rawValue.rightPadded(to: 5)) \(LogText.field(label)) "
                    + "\(LogText.field(message, spaces: true))\(LogText.fields(metadata))"
            case .json:
                #"{"time":"\#(time)","level":"\#(level.rawValue)","logger":\#(PrintableText.jsonString(label)),"#
                    + #""message":\#(PrintableText.jsonString(message)),"#
                    + #""metadata":\#(LogText.json(.dictionary(metadata)))}"#
            }
        return Array("\(line)\n".utf8)
    }
}
