import AllotFiles
import AllotServing
import Dispatch
import Metrics
import Synchronization

/// Takes log lines without ever waiting, and writes them in their order on a queue of its own; those beyond a limit are
/// dropped, counted, and reported by a line. At the end of the process waiting lines get a second. `Sendable`.
final class LogSink: Sendable {
    static let standardError: LogSink = {
        let sink = LogSink(LineWriter(descriptor: 2))
        atexit { LogSink.standardError.flush(within: .seconds(1)) }
        return sink
    }()

    /// The most bytes that wait. A reader that is a second late misses nothing, even if every request fails.
    static let defaultLimit = 1 << 20
    /// The bytes that a line takes besides its own, so that empty lines do not fill the memory.
    private static let overhead = 64
    typealias Notice = @Sendable (_ dropped: Int) -> [UInt8]

    private struct State {
        var lines: [[UInt8]] = []
        /// The bytes of ``lines``, and those of the lines that are being written.
        var bytes = (waiting: 0, inWriting: 0)
        var dropped = 0
        /// The notice in the form of the last lines.
        var notice: Notice = { _ in [] }
        /// Whether the queue writes lines, or will write them soon.
        var isWriting = false

        mutating func append(_ line: [UInt8]) {
            lines.append(line)
            bytes.waiting += line.count + LogSink.overhead
        }
    }

    private let state = Mutex(State())
    private let writer: Mutex<LineWriter>
    private let limit: Int
    private let queue = DispatchQueue(label: "allot.log")

    init(_ writer: LineWriter, limit: Int = defaultLimit) {
        self.writer = Mutex(writer)
        self.limit = limit
    }

    /// Takes a line, which ends with a line feed, or drops it. Never waits for the log's reader.
    func write(_ line: [UInt8], notice: @escaping Notice) {
        let (isDropped, begins) = state.withLock { state in
            state.notice = notice
            // Once lines are dropped, all are until the queue is empty: one notice stands for one gap.
            let bytes = state.bytes.waiting + state.bytes.inWriting + line.count + Self.overhead
            let isDropped = state.dropped > 0 || bytes > limit
            if isDropped { state.dropped += 1 } else { state.append(line) }
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

    /// Counts dropped lines; none, so that the metric shows a 0 from the start.
    static func countDropped(_ count: Int = 1) { Counter(label: MetricName.logLinesDropped).increment(by: count) }

    private func writeLines() {
        // A reader that closes its side must not end the process: the write fails instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        writer.withLock { writer in
            while case let lines = takeLines(), !lines.isEmpty {
                // A full disk or a closed pipe: a notice would be lost too.
                for line in lines where !writer.write(line) { Self.countDropped() }
            }
        }
    }

    /// The lines to write next, after those that were taken earlier; none if all are written.
    private func takeLines() -> [[UInt8]] {
        state.withLock { state in
            if state.lines.isEmpty, state.dropped > 0 {
                state.append(state.notice(state.dropped))
                state.dropped = 0
            }
            state.isWriting = !state.lines.isEmpty
            state.bytes = (0, state.bytes.waiting)
            defer { state.lines = [] }
            return state.lines
        }
    }
}

/// Writes lines, each in one `write(2)` unless the system takes only a part. One that cannot be written is lost.
struct LineWriter {
    /// Writes bytes; returns their number, or the negative of the system's error number.
    let write: @Sendable (UnsafeRawBufferPointer) -> Int
    /// Called when ``write`` would block; returns whether to try again.
    let waitUntilWritable: @Sendable () -> Bool
    /// Whether the last line is incomplete, so that the next one has to start with a line feed.
    var isBroken = false

    /// Writes a line, which ends with a line feed. Returns whether all of it was written.
    @discardableResult mutating func write(_ line: [UInt8]) -> Bool {
        let line = isBroken ? [UInt8(ascii: "\n")] + line : line
        var written = 0
        while written < line.count {
            let count = line.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            written += max(count, 0)
            guard count > 0 || count == -Int(EINTR) || (count == -Int(EAGAIN) && waitUntilWritable()) else { break }
        }
        // If nothing was written, nothing changes.
        if written > 0 { isBroken = line[written - 1] != UInt8(ascii: "\n") }
        return written == line.count
    }
}

extension LineWriter {
    /// Writes to an open descriptor, which stays open, and waits for its reader.
    init(descriptor: Int32) {
        self.init { bytes in
            let count = AllotFiles.write(descriptor, bytes.baseAddress, bytes.count)
            return count < 0 ? -Int(errno) : count
        } waitUntilWritable: {
            // A terminal or pipe that another process made non-blocking.
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&state, 1, -1) > 0 || errno == EINTR
        }
    }
}
