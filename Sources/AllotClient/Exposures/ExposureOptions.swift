public import struct Foundation.Date

/// How a reporter records and sends exposures.
public struct ExposureOptions: Sendable {
    /// Whether reading a setting is an exposure to the experiments that set it; else only
    /// ``Configuration/expose(_:)`` is.
    public var recordsOnReading = true
    /// The most events that are sent at once, 1 to 10,000; a reporter sends fewer to a server that takes fewer.
    public var batchSize = 100
    /// How long the first event waits for others before it is sent, in seconds.
    public var delay = 10.0
    /// The most events that are kept; when so many wait, new ones are refused.
    public var queueLimit = 100_000
    /// How many exposures are remembered in order not to be recorded again; the oldest are forgotten first, and would be
    /// recorded and sent again, for the server to pass over.
    public var memoryLimit = 10_000
    /// How long to wait after a first failure, in seconds; doubled with each further one.
    public var firstRetry = 10.0
    /// The longest wait after a failure that may pass, in seconds, unless the server asks for more.
    public var longestRetry = 3600.0
    /// How long to wait when the server refuses to talk to this app (401, 403, 404 and so on), in seconds.
    public var refusedRetry = 3600.0
    /// Tells the time.
    public var now: @Sendable () -> Date = { Date() }
    /// Waits so many seconds, or until the task is cancelled, and then throws.
    public var sleep: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    /// A random number, 0 ..< 1, by which clients that failed together do not try again together.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The usual options.
    public init() {}
}

extension ExposureOptions {
    /// Options within their bounds.
    var bounded: ExposureOptions {
        func seconds(_ value: Double, _ least: Double) -> Double {
            // NaN is not greater than anything.
            value > least ? min(value, Self.longestWait) : least
        }
        var bounded = self
        bounded.batchSize = min(max(batchSize, 1), 10_000)
        bounded.queueLimit = max(queueLimit, 1)
        bounded.memoryLimit = max(memoryLimit, 1)
        bounded.delay = seconds(delay, 0)
        // Whatever is asked for, a failing server is not asked without pause.
        bounded.firstRetry = seconds(firstRetry, 1)
        bounded.longestRetry = seconds(longestRetry, bounded.firstRetry)
        bounded.refusedRetry = seconds(refusedRetry, bounded.firstRetry)
        return bounded
    }

    /// The longest wait of all, a day in seconds: a server cannot silence a client for longer.
    static let longestWait = 86_400.0

    /// How long to wait after so many failures in a row, in seconds.
    func wait(after error: ExposureSendError, failures: Int) -> Double {
        let doublings = min(max(failures - 1, 0), 40)
        let doubled = firstRetry * Double(sign: .plus, exponent: doublings, significand: 1)
        let own = (error.isTemporary ? min(longestRetry, doubled) : refusedRetry) * (0.5 + 0.5 * random())
        // Never earlier than the server says, and not all clients at that moment.
        let asked = min(max(error.retryAfter ?? 0, 0), Self.longestWait) * (1 + 0.1 * random())
        return max(own, asked)
    }
}
