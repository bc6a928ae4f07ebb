import Glibc
import Synchronization

/// Writes log lines, each in one piece. `Sendable`.
///
/// A line is one `write(2)`, unless the system takes only a part of it. Writers wait for each other, because pipes mix
/// lines that are longer than 4 KiB. A line that cannot be written is lost: a log must not stop the server.
final class LogSink: Sendable {
    /// Standard error.
    static let standardError = LogSink(descriptor: 2)

    private let write: @Sendable (UnsafeRawBufferPointer) -> Int
    private let waitUntilWritable: @Sendable () -> Bool
    /// Whether the last line is incomplete, so that the next one has to start with a line feed.
    private let isBroken = Mutex(false)

    /// - Parameters:
    ///   - write: writes bytes; returns their number, or the negative of the system's error number.
    ///   - waitUntilWritable: called when `write` would block; returns whether to try again.
    init(
        write: @escaping @Sendable (UnsafeRawBufferPointer) -> Int,
        waitUntilWritable: @escaping @Sendable () -> Bool = { false }
    ) {
        self.write = write
        self.waitUntilWritable = waitUntilWritable
    }

    /// Writes to an open descriptor, which stays open.
    convenience init(descriptor: Int32) {
        self.init { bytes in
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            return count < 0 ? -Int(errno) : count
        } waitUntilWritable: {
            // A terminal or pipe that another process made non-blocking; if its reader stops, lines are lost.
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&state, 1, 100) > 0
        }
    }

    /// Writes a line, which ends with a line feed.
    func write(_ line: [UInt8]) {
        isBroken.withLock { isBroken in
            let line = isBroken ? [UInt8(ascii: "\n")] + line : line
            let written = line.withUnsafeBytes(writeAll)
            // If nothing was written, nothing changes.
            if written > 0 { isBroken = line[written - 1] != UInt8(ascii: "\n") }
        }
    }

    /// Writes as much as possible. Returns the number of bytes written.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written = 0
        while written < bytes.count {
            let count = write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
            if count > 0 {
                written += count
            } else if count == -Int(EINTR) || (count == -Int(EAGAIN) && waitUntilWritable()) {
                continue
            } else {
                break
            }
        }
        return written
    }
}
