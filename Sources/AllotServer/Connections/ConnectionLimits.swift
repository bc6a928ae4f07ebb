import AllotServing

/// The limits of one connection.
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
    /// The fewest bytes per second of a body, on average after a ``window``. A mobile phone with the worst of networks
    /// sends more.
    static let bytesPerSecond = 1024
    /// The most bytes that a client has to take of an answer within the timeout. Kernels let go of sent bytes in lumps,
    /// so that this is less than what the rate of bodies amounts to.
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
