/// How a reporter records and sends exposures.
public struct ExposureOptions: Sendable {
    /// Whether reading a setting exposes the user to the experiments that compare it. Otherwise only
    /// ``Configuration/expose(_:)`` does.
    public var recordsOnReading = true
    /// The maximal number of events in one request, 1 to 10,000. A reporter sends fewer to a server that accepts fewer.
    public var batchSize = 100
    /// How long the first event waits for others before it is sent.
    public var delay = Duration.seconds(10)
    /// The maximal number of events that wait to be sent; further ones are refused.
    public var queueLimit = 100_000
    /// How many exposures are remembered after they were sent, so that they are not recorded again; the oldest are
    /// forgotten first.
    package var memoryLimit = 10_000
    /// The delays after failures that are temporary. Its number of attempts does not apply: events are kept until the
    /// server accepts them. After an error that does not go away by itself (403 or 404 of a server that rejects this
    /// app's requests, a URL that is not valid), the server is asked again after an hour. A rejected token (401) counts
    /// as temporary, because it may be renewed.
    public var retry = RetryPolicy(firstDelay: .seconds(10), longestDelay: .seconds(3600))
    package var clock = ClientClock()

    /// The default options.
    public init() {}
}

extension ExposureOptions {
    var bounded: ExposureOptions {
        let day = Duration.seconds(RetryPolicy.longestServerDelay)
        var bounded = self
        bounded.batchSize = min(max(batchSize, 1), 10_000)
        bounded.queueLimit = max(queueLimit, 1)
        bounded.memoryLimit = max(memoryLimit, 1)
        bounded.delay = min(max(delay, .zero), day)
        bounded.retry = retry.bounded
        return bounded
    }

    func delay(after error: RequestError, failures: Int) -> Double {
        let policy = error.concernsContents ? retry : retry.after(error)
        return policy.delay(afterFailures: failures, requested: error.retryAfter, random: clock.random())
    }
}
