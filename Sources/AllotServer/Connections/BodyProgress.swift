/// The progress of a body that a client sends, which has to get on, and to end in time.
struct BodyProgress {
    private let limits: ConnectionLimits
    private let start: Duration
    private let announced: Int
    private var received = 0
    /// The time for the next look at the progress.
    private(set) var nextCheck: Duration

    init(announced: Int?, at now: Duration, _ limits: ConnectionLimits) {
        self.limits = limits
        self.announced = announced ?? 0
        start = now
        nextCheck = now + limits.window
    }

    var announcedLeft: Int { max(announced - received, 0) }

    /// Takes some bytes. Returns `false` if the body is longer than any route accepts.
    mutating func receive(_ count: Int) -> Bool {
        received += count
        return max(received, announced) <= limits.bodyBytes
    }

    /// Looks at the progress. Returns `false` if the client is too slow.
    mutating func look(at now: Duration) -> Bool {
        nextCheck = now + limits.window
        let time = now - start
        let milliseconds = Int(max(time - limits.window, .zero) / .milliseconds(1))
        return time < limits.timeout && received >= milliseconds * ConnectionLimits.bytesPerSecond / 1000
    }
}
