import Glibc

/// What happens when the program that reads the output stops reading.
public enum BrokenPipe {
    /// Makes a write to a pipe that nobody reads fail with `FileError.Code.readerGone` instead of ending the process.
    /// A command calls it once, first.
    public static func becomesError() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
