/// The consequence of a reader of the output that stops reading.
package enum BrokenPipe {
    /// Makes a write to a pipe without a reader fail with `EPIPE` instead of ending the process; called once, first.
    package static func becomesError() { _ = signal(SIGPIPE, SIG_IGN) }
    /// Makes a write to a pipe without a reader end the process again, which shells report as 141.
    package static func endsTheProgram() { _ = signal(SIGPIPE, SIG_DFL) }

    /// Ends the process as such a write does: without a word.
    package static func endProgram() -> Never {
        endsTheProgram()
        _ = raise(SIGPIPE)
        // The signal is blocked.
        exit(128 + SIGPIPE)
    }
}

package enum QuitSignal {
    /// Ends the program at SIGQUIT as at SIGTERM. The Swift runtime would report it as a crash and continue.
    package static func endsTheProgram() {
        let former = signal(SIGQUIT, SIG_DFL)
        // A background job of a shell ignores it, and goes on to do so.
        if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { _ = signal(SIGQUIT, SIG_IGN) }
    }
}

/// The standard output of the process, for results.
package enum StandardOutput {
    /// Writes lines, each with a line feed, in one piece.
    package static func write(_ lines: [String]) throws(FileError) {
        try AtomicOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "-", option: "> FILE")
    }
}

/// The standard error of the process, for everything that is not a result.
package enum StandardError {
    /// Writes a line. A failure is ignored, since there is nowhere to report it.
    package static func write(_ line: String) { write(bytes: Array((line + "\n").utf8)) }
    /// Writes bytes. A failure is ignored, since there is nowhere to report it.
    package static func write(bytes: [UInt8]) { try? FileDescriptor(STDERR_FILENO, isOwned: false).writeAll(bytes) }
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
