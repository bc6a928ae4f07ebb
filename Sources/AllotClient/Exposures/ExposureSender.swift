public import struct Foundation.Date

/// Sends exposures to a server, once: waiting, retrying and storing are the reporter's.
///
/// A sender must end soon after its task was cancelled, and in any case: nothing else is sent while it works, and
/// ``ExposureReporter/flush()`` waits for it.
public protocol ExposureSender: Sendable {
    /// The server's answer, when it has stored the events or knows them already.
    func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer
}

/// What a server says of events that were sent to it.
///
/// It accounts for each event: ``stored``, ``duplicates`` and the number of ``failures`` add up to how many were sent. A
/// sender must give true numbers: a reporter takes an answer that does not add up for ``RequestError/Kind/malformed``
/// and sends the events again.
public struct ExposureAnswer: Sendable, Hashable {
    /// An event that the server will never take.
    public struct Failure: Sendable, Hashable {
        /// Where it stands among those that were sent, from 0; each at most once.
        public let index: Int
        /// Why.
        public let message: String

        /// Describes a failure.
        public init(index: Int, message: String) {
            self.index = index
            self.message = message
        }
    }

    /// How many were new.
    public let stored: Int
    /// How many the server had already.
    public let duplicates: Int
    /// Those it will never take.
    public let failures: [Failure]
    /// What the server's clock showed; `nil` if it does not say.
    public let serverTime: Date?

    /// Describes an answer.
    public init(stored: Int, duplicates: Int, failures: [Failure] = [], serverTime: Date? = nil) {
        self.stored = stored
        self.duplicates = duplicates
        self.failures = failures
        self.serverTime = serverTime
    }
}
