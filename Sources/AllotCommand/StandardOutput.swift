import AllotBatch
import Glibc

/// Results go to standard output, in one piece.
enum StandardOutput {
    /// Writes lines, each with a line feed.
    static func write(_ lines: [String]) throws {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        do {
            let output = try AtomicOutput(path: "-", option: "> FILE")
            try output.write(bytes)
            try output.commit()
        } catch {
            throw CommandFailure(error.message)
        }
    }
}

/// Everything that is not a result goes to standard error.
enum StandardError {
    /// Writes a line; there is nowhere to complain if that fails.
    static func write(_ line: String) {
        write(bytes: Array((line + "\n").utf8))
    }

    static func write(bytes: [UInt8]) {
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Whether a person watches.
    static var isTerminal: Bool {
        isatty(STDERR_FILENO) == 1
    }
}
