import Logging
import Synchronization

/// Keeps what is logged, for tests.
final class LogRecord: LogHandler, Sendable {
    private let level: Logger.Level
    private let entries = Mutex<[(level: Logger.Level, message: String)]>([])

    /// Keeps what is logged at a level or above.
    init(_ level: Logger.Level) {
        self.level = level
    }

    /// The messages, in their order.
    var lines: [String] { entries.withLock { $0.map(\.message) } }

    /// The levels of the messages that hold a text.
    func levels(of text: String) -> [Logger.Level] {
        entries.withLock { $0.filter { $0.message.contains(text) }.map(\.level) }
    }

    func log(event: LogEvent) {
        entries.withLock { $0.append((event.level, "\(event.message)")) }
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { level }
        set {}
    }
}
