import AllotServing

package struct ConnectionLimits: Sendable {
    /// The longest time from a request's head to the end of its body, without a request, and for taking any answer.
    package let timeout: Duration
    /// The most bytes that are read of a body; more than any route accepts.
    let bodyBytes: Int
    /// The names that requests may be for, in lower case; `nil` for any.
    let hosts: Set<String>?
    /// While it is active, an answer of HTTP/1 is the last one of its connection.
    let draining: Draining
    /// The turns of connections whose clients send many requests at once.
    let turns = Turns()
    /// The fewest bytes per second of a body, on average after a ``window``. Phones with bad networks send more.
    static let bytesPerSecond = 1024
    /// The most bytes that a client has to take of an answer within the timeout: kernels let go of sent bytes in lumps.
    static let mostBytesToTake = 16 * 1024
    /// The longest target, and field of a head, in bytes.
    static let fieldBytes = 16 * 1024
    package static let fieldsBytes = 64 * 1024
    static let fieldCount = 100
    /// The time between two looks at the progress of a connection.
    var window: Duration { min(.seconds(5), timeout / 4) }
    /// The fewest bytes that a client has to take of an answer within the timeout.
    var leastBytesTaken: Int { min(Int(timeout.components.seconds) * Self.bytesPerSecond, Self.mostBytesToTake) }
}

/// The progress of a body that a client sends, which has to get on, and to end in time.
struct BodyProgress {
    private let limits: ConnectionLimits
    private let start: Duration
    private let announced: Int
    private var received = 0
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
