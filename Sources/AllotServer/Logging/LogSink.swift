import Glibc
import Synchronization

/// Where log lines go: each in one piece. `Sendable`.
///
/// A line is one `write(2)`, unless the system takes only a part of it. Writers wait for each other, as pipes mix what
/// is longer than 4 KiB. What cannot be written is lost: a log must not stop the server.
final class LogSink: Sendable {
    /// Standard error.
    static let standardError = LogSink(descriptor: 2)

    private let write: @Sendable (UnsafeRawBufferPointer) -> Int
    private let waitUntilWritable: @Sendable () -> Bool
    /// Whether the last line broke off, so that the next has to start on a new one.
    private let isBroken = Mutex(false)

    /// - Parameters:
    ///   - write: writes bytes; returns how many, or the negative of the system's error number.
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
            // A terminal or pipe that another process made non-blocking; a reader that stands still costs lines.
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&state, 1, 100) > 0
        }
    }

    /// Writes a line, which ends with a line feed.
    func write(_ line: [UInt8]) {
        isBroken.withLock { isBroken in
            let line = isBroken ? [UInt8(ascii: "\n")] + line : line
            let written = line.withUnsafeBytes(writeAll)
            // Nothing of the line changes nothing.
            if written > 0 { isBroken = line[written - 1] != UInt8(ascii: "\n") }
        }
    }

    /// Writes as much as it can; returns how many bytes.
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
