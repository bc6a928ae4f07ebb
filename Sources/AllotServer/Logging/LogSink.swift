import AllotFiles
import AllotServing
import Dispatch
import Metrics
import Synchronization

/// Takes log lines without ever waiting, and writes them in their order on a queue of its own. `Sendable`.
///
/// Lines wait for a slow reader, up to a limit; further ones are dropped and counted. Once everything that waited is
/// written, a line says how many lines were dropped. At the end of the process waiting lines are written, for a second
/// at most; a crash loses them.
final class LogSink: Sendable {
    /// Standard error.
    static let standardError: LogSink = {
        let sink = LogSink(LineWriter(descriptor: 2))
        atexit { LogSink.standardError.flush(within: .seconds(1)) }
        return sink
    }()

    /// The most bytes that wait. A reader that is a second late misses nothing, even if every request fails.
    static let defaultLimit = 1 << 20
    /// The bytes that a line takes besides its own, so that empty lines do not fill the memory.
    private static let overhead = 64

    /// Makes the line that says how many were dropped.
    typealias Notice = @Sendable (_ dropped: Int) -> [UInt8]

    private struct State {
        var lines: [[UInt8]] = []
        /// The bytes of ``lines``, and of those that are being written.
        var bytes = 0
        var dropped = 0
        /// The notice in the form of the last lines.
        var notice: Notice = { _ in [] }
        /// Whether the queue writes lines, or will write them soon.
        var isWriting = false
    }

    private let state = Mutex(State())
    private let writer: Mutex<LineWriter>
    private let limit: Int
    private let queue = DispatchQueue(label: "allot.log")

    /// - Parameter limit: the most bytes that wait.
    init(_ writer: LineWriter, limit: Int = defaultLimit) {
        self.writer = Mutex(writer)
        self.limit = limit
    }

    /// Takes a line, which ends with a line feed, or drops it. Never waits for the log's reader.
    ///
    /// - Parameter notice: makes the line that says how many were dropped.
    func write(_ line: [UInt8], notice: @escaping Notice) {
        let (isDropped, begins) = state.withLock { state in
            state.notice = notice
            // Once lines are dropped, all are until the queue is empty: one notice stands for one gap.
            let isDropped = state.dropped > 0 || state.bytes + line.count + Self.overhead > limit
            if isDropped {
                state.dropped += 1
            } else {
                state.bytes += line.count + Self.overhead
                state.lines.append(line)
            }
            // For a line that is too long too: its notice has to be written.
            defer { state.isWriting = true }
            return (isDropped, !state.isWriting)
        }
        if isDropped { Self.countDropped() }
        if begins { queue.async { [self] in writeLines() } }
    }

    /// Waits until everything that was taken is written, or until the end of the time.
    func flush(within time: DispatchTimeInterval) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + time)
    }

    /// Makes the metric show a 0 from the start.
    static func registerMetric() { countDropped(0) }

    private static func countDropped(_ count: Int = 1) {
        Counter(label: MetricName.logLinesDropped).increment(by: count)
    }

    private func writeLines() {
        // A reader that closes its side must not end the process: the write fails instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        writer.withLock { writer in
            var written = 0
            while let lines = takeLines(after: written) {
                written = 0
                for line in lines {
                    // A full disk or a closed pipe: a notice would be lost too.
                    if !writer.write(line) { Self.countDropped() }
                    written += line.count + Self.overhead
                }
            }
        }
    }

    /// The lines to write next. Returns `nil` if all are written.
    ///
    /// - Parameter written: the bytes of the lines that were taken before.
    private func takeLines(after written: Int) -> [[UInt8]]? {
        state.withLock { state in
            state.bytes -= written
            if state.lines.isEmpty, state.dropped > 0 {
                let notice = state.notice(state.dropped)
                state.dropped = 0
                state.bytes += notice.count + Self.overhead
                return [notice]
            }
            guard !state.lines.isEmpty else {
                state.isWriting = false
                return nil
            }
            var lines: [[UInt8]] = []
            swap(&lines, &state.lines)
            return lines
        }
    }
}
