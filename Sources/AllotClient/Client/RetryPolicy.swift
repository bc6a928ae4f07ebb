/// How often and when a request that failed for a time is made again: exponential back-off with jitter, so that the clients
/// of a server that comes back do not all come back at once.
public struct RetryPolicy: Sendable, Hashable {
    /// How many requests are made at most, the first included: 1 or more.
    public var attempts: Int
    /// The wait before the second request, before jitter.
    public var firstDelay: Duration
    /// The longest wait, before jitter. A server that asks for a longer one is left alone until then.
    public var longestDelay: Duration

    /// Describes a policy; by default four requests, about 1, 2 and 4 seconds apart.
    public init(attempts: Int = 4, firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(60)) {
        self.attempts = max(1, attempts)
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// The seconds to wait after a number of failures, 1 or more: doubling, times 0.5 ..< 1.5.
    ///
    /// - Parameter random: 0 ..< 1.
    func delay(afterFailures failures: Int, random: Double) -> Double {
        let doubled = firstDelay.inSeconds * Double(1 << min(max(failures - 1, 0), 30))
        return min(doubled, longestDelay.inSeconds) * (0.5 + random)
    }
}

extension Duration {
    /// Seconds, with fraction.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
