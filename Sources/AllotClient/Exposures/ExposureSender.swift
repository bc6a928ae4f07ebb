public import struct Foundation.Date

/// Sends exposures to a server, once. The reporter waits, retries and stores.
///
/// A sender must end soon after its task was cancelled, and must end in any case: nothing else is sent while it works,
/// and ``ExposureReporter/flush()`` waits for it.
///
/// ```swift
/// /// Counts the exposures of a preview, and sends none.
/// struct SilentSender: ExposureSender {
///     func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
///         ExposureAnswer(stored: events.count, duplicates: 0)
///     }
/// }
/// ```
public protocol ExposureSender: Sendable {
    /// Returns the server's answer when it has stored the events or had them already.
    func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer
}

/// A server's answer to events that were sent to it.
///
/// It accounts for each event: ``stored``, ``duplicates`` and the number of ``failures`` add up to the number of
/// events. A reporter treats an answer that does not add up as ``RequestError/Kind/malformed``, and sends the events
/// again.
public struct ExposureAnswer: Sendable, Hashable {
    /// An event that the server will never accept.
    public struct Failure: Sendable, Hashable {
        /// The position of the event among those that were sent, from 0; each at most once.
        let index: Int
        /// Why the server does not accept it.
        let message: String

        /// Creates a failure.
        public init(index: Int, message: String) {
            self.index = index
            self.message = message
        }
    }

    /// The number of events that were new.
    let stored: Int
    /// The number of events that the server had already.
    let duplicates: Int
    /// The events that it will never accept.
    let failures: [Failure]
    /// The time by the server's clock; `nil` if unknown.
    let serverTime: Date?

    /// Creates an answer.
    public init(stored: Int, duplicates: Int, failures: [Failure] = [], serverTime: Date? = nil) {
        self.stored = stored
        self.duplicates = duplicates
        self.failures = failures
        self.serverTime = serverTime
    }
}
