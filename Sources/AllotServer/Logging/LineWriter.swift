import AllotFiles

/// Writes lines, each in one piece, as far as the system takes them.
///
/// A line is one `write(2)`, unless the system takes only a part of it. A line that cannot be written is lost: a log
/// must not stop the server.
struct LineWriter {
    /// Writes bytes; returns their number, or the negative of the system's error number.
    let write: @Sendable (UnsafeRawBufferPointer) -> Int
    /// Called when ``write`` would block; returns whether to try again.
    let waitUntilWritable: @Sendable () -> Bool
    /// Whether the last line is incomplete, so that the next one has to start with a line feed.
    var isBroken = false

    /// Writes a line, which ends with a line feed. Returns whether all of it was written.
    @discardableResult
    mutating func write(_ line: [UInt8]) -> Bool {
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
