import AllotFiles

/// Writes lines, each in one piece, as far as the system takes them.
///
/// A line is one `write(2)`, unless the system takes only a part of it. A line that cannot be written is lost: a log
/// must not stop the server.
struct LineWriter {
    private let write: @Sendable (UnsafeRawBufferPointer) -> Int
    private let waitUntilWritable: @Sendable () -> Bool
    /// Whether the last line is incomplete, so that the next one has to start with a line feed.
    private var isBroken = false

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

    /// Writes a line, which ends with a line feed.
    ///
    /// - Returns: Whether the whole line was written.
    @discardableResult
    mutating func write(_ line: [UInt8]) -> Bool {
        let line = isBroken ? [UInt8(ascii: "\n")] + line : line
        let written = line.withUnsafeBytes(writeAll)
        // If nothing was written, nothing changes.
        if written > 0 { isBroken = line[written - 1] != UInt8(ascii: "\n") }
        return written == line.count
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
