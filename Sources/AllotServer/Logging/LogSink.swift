import AllotServing
import Dispatch
import Foundation
import Metrics
import Synchronization

/// Takes log lines without ever waiting, and writes them in their order on a thread of its own. `Sendable`.
///
/// What its reader does not take waits, up to a limit; what does not fit is dropped and counted. Once everything that
/// waited is written, a line says how many lines were dropped. At the end of the process what waits is written, for a
/// second at most; a crash loses it.
final class LogSink: Sendable {
    /// Standard error.
    static let standardError: LogSink = {
        let sink = LogSink(LineWriter(descriptor: 2))
        atexit { LogSink.standardError.flush(within: .seconds(1)) }
        return sink
    }()

    /// The most bytes that wait. A reader that is a second late misses nothing, even if every request fails.
    static let defaultLimit = 1 << 20
    /// What a line takes besides its bytes, so that empty lines do not fill the memory.
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
        var isWriting = false
        var isClosed = false
        /// Wait until everything is written.
        var waiting: [DispatchSemaphore] = []
    }

    /// Shared with the thread, which ends after the sink.
    private final class Queue: Sendable {
        let state = Mutex(State())
        /// Signalled when there is something to write, and nobody writes.
        let work = DispatchSemaphore(value: 0)
    }

    private let queue = Queue()
    private let limit: Int

    /// Writes on a thread that ends with the sink.
    ///
    /// - Parameter limit: the most bytes that wait.
    init(_ writer: LineWriter, limit: Int = defaultLimit) {
        self.limit = limit
        Thread.detachNewThread { [queue] in Self.write(queue, writer) }
    }

    deinit {
        queue.state.withLock { $0.isClosed = true }
        queue.work.signal()
    }

    /// Takes a line, which ends with a line feed, or drops it. Never waits for the log's reader.
    ///
    /// - Parameter notice: makes the line that says how many were dropped.
    func write(_ line: [UInt8], notice: @escaping Notice) {
        let (isNeeded, isDropped) = queue.state.withLock { state in
            state.notice = notice
            // Once lines are dropped, all are until the queue is empty: one notice stands for one gap.
            guard state.dropped == 0, state.bytes + line.count + Self.overhead <= limit else {
                state.dropped += 1
                // A line that is too long comes when nobody writes, too.
                defer { state.isWriting = true }
                return (!state.isWriting, true)
            }
            state.bytes += line.count + Self.overhead
            state.lines.append(line)
            defer { state.isWriting = true }
            return (!state.isWriting, false)
        }
        if isDropped { Self.countDropped() }
        if isNeeded { queue.work.signal() }
    }

    /// Waits until everything that was taken is written, or the time is over.
    func flush(within time: DispatchTimeInterval) {
        let isDone = DispatchSemaphore(value: 0)
        let waits = queue.state.withLock { state in
            if state.isWriting { state.waiting.append(isDone) }
            return state.isWriting
        }
        if waits { _ = isDone.wait(timeout: .now() + time) }
    }

    /// Makes the metric show a 0 from the start.
    static func registerMetric() {
        Counter(label: MetricName.logLinesDropped).increment(by: 0)
    }

    private static func countDropped() {
        Counter(label: MetricName.logLinesDropped).increment()
    }

    // MARK: The thread

    private static func write(_ queue: Queue, _ writer: LineWriter) {
        // A reader that closes its side must not end the process: the write fails instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var writer = writer
        var written = 0
        while true {
            let (lines, isClosed) = queue.state.withLock { state in next(&state, written: written) }
            written = 0
            for line in lines {
                // A full disk or a closed pipe: a notice would be lost too.
                if !writer.write(line) { countDropped() }
                written += line.count + overhead
            }
            guard lines.isEmpty else { continue }
            if isClosed { return }
            queue.work.wait()
        }
    }

    /// The lines to write next, none if all are written.
    private static func next(_ state: inout State, written: Int) -> (lines: [[UInt8]], isClosed: Bool) {
        state.bytes -= written
        var lines: [[UInt8]] = []
        swap(&lines, &state.lines)
        if lines.isEmpty, state.dropped > 0 {
            let notice = state.notice(state.dropped)
            state.dropped = 0
            state.bytes += notice.count + overhead
            lines = [notice]
        }
        if lines.isEmpty {
            state.isWriting = false
            for waiting in state.waiting { waiting.signal() }
            state.waiting = []
        }
        return (lines, state.isClosed)
    }
}
