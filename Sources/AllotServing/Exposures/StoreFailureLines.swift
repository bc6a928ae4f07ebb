import AllotConfiguration

/// The lines of the log about a store that fails: one a minute, which counts the requests that failed without a line.
struct StoreFailureLines {
    private static let interval = Duration.seconds(60)
    private var last: ContinuousClock.Instant?
    private var uncounted = 0
    /// Whether the last line says that the store fails.
    private var isFailing = false

    /// Notes a failure of some requests. Returns the line, with a number after the message; `nil` if none is due.
    mutating func fail(_ message: String, requests: Int, at now: ContinuousClock.Instant) -> String? {
        if let last, last.duration(to: now) < Self.interval {
            uncounted += requests
            return nil
        }
        last = now
        isFailing = true
        defer { uncounted = 0 }
        return uncounted == 0
            ? message : "\(message) (\(counted(uncounted, "request")) failed after the last line about it)"
    }

    /// Notes that the store works. Returns whether a line about that is due.
    mutating func recover() -> Bool {
        defer { isFailing = false }
        return isFailing
    }
}
