public import struct Foundation.Date

/// Sends exposures to a server, once. The reporter waits, retries and stores.
///
/// A sender must end soon after its task was cancelled, and must end in any case: nothing else is sent while it works,
/// and ``ExposureReporter/flush()`` waits for it.
public protocol ExposureSender: Sendable {
    /// Returns the server's answer when it has stored the events or had them already.
    func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer
}

/// A server's answer to events that were sent to it.
///
/// It accounts for each event: the numbers of stored events, of duplicates and of failures add up to the number of
/// events. A reporter treats an answer that does not add up as ``RequestError/Kind/malformed``, and sends the events
/// again.
public struct ExposureAnswer: Sendable, Hashable {
    /// The reason why an event was not stored.
    public enum Failure: Sendable, Hashable {
        /// The server will never accept the event: the reporter deletes it.
        case rejected(String)
        /// The server may accept the event later: the reporter keeps it, and sends it again after a delay.
        case postponed(String)
    }

    /// The number of events that were new.
    public let stored: Int
    /// The number of events that the server had already.
    public let duplicates: Int
    /// The reasons why events were not stored, by their positions among those that were sent, from 0.
    public let failures: [Int: Failure]
    /// The time by the server's clock; `nil` if unknown.
    public let serverTime: Date?

    /// Creates an answer, for senders of your own.
    public init(stored: Int, duplicates: Int, failures: [Int: Failure] = [:], serverTime: Date? = nil) {
        (self.stored, self.duplicates, self.failures, self.serverTime) = (stored, duplicates, failures, serverTime)
    }
}
