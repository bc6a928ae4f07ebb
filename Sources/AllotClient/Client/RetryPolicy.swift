/// How often, and after which delays, a request is repeated that failed temporarily: exponential back-off with jitter,
/// so that the clients of a server that recovers do not all return at the same moment.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximal number of requests, including the first: 1 or more.
    var attempts: Int
    /// The delay before the second request, before jitter.
    var firstDelay: Duration
    /// The longest delay, before jitter. A client does not retry when the server asks for a longer one.
    var longestDelay: Duration

    /// Creates a policy with 1 request or more; by default four requests, about 1, 2 and 4 seconds apart.
    public init(attempts: Int = 4, firstDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(60)) {
        (self.attempts, self.firstDelay, self.longestDelay) = (max(1, attempts), firstDelay, longestDelay)
    }

    /// The longest delay that a server can impose, in seconds: a day, before jitter of up to a quarter.
    static let longestServerDelay = 86_400.0
    /// The policy after requests that the server refuses until the server or this app is changed: an hour.
    static let refused = RetryPolicy(firstDelay: .seconds(3600), longestDelay: .seconds(3600))

    /// The policy for what is repeated without end: a failing server is never called without a pause.
    var bounded: RetryPolicy {
        let day = Duration.seconds(Self.longestServerDelay)
        var bounded = self
        bounded.firstDelay = min(max(firstDelay, .seconds(1)), day)
        bounded.longestDelay = min(max(longestDelay, bounded.firstDelay), day)
        return bounded
    }

    /// The policy after an error, for what is repeated without end.
    func after(_ error: RequestError?) -> RetryPolicy { error?.isPermanent == true ? .refused : self }

    /// The delay in seconds after a number of consecutive failures, 1 or more: it doubles with each, times 0.5 ..< 1.5
    /// as `random` says, 0 ..< 1; never shorter than the server requested, and up to a quarter longer, so that not
    /// all clients return at that moment.
    func delay(afterFailures failures: Int, requested: Double? = nil, random: Double) -> Double {
        let doubled = firstDelay.inSeconds * Double(1 << min(max(failures - 1, 0), 30))
        let own = min(doubled, longestDelay.inSeconds) * (0.5 + random)
        return max(own, min(requested ?? 0, Self.longestServerDelay) * (1 + random / 4))
    }
}

extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// A delay that a server asked for, in seconds, limited to 0 ... ``RetryPolicy/longestServerDelay``; 0 for NaN.
    init(bounding seconds: Double) { self = .seconds(seconds > 0 ? min(seconds, RetryPolicy.longestServerDelay) : 0) }
}
