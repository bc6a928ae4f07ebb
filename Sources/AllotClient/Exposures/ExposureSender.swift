public import struct Foundation.Date

/// Sends exposures to a server, once: waiting, retrying and storing are the reporter's.
///
/// A sender must end soon after its task was cancelled, and in any case: nothing else is sent while it works, and
/// ``ExposureReporter/flush()`` waits for it.
public protocol ExposureSender: Sendable {
    /// The server's answer, when it has stored the events or knows them already.
    func send(_ events: [ExposureEvent]) async throws(ExposureSendError) -> ExposureAnswer
}

/// What a server says of events that were sent to it.
///
/// It accounts for each event: ``stored``, ``duplicates`` and the number of ``failures`` add up to how many were sent. A
/// sender must give true numbers: a reporter takes an answer that does not add up for ``ExposureSendError/Kind/invalidAnswer``
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

/// Why events may not have been stored.
public struct ExposureSendError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The server was not reached, or the connection broke.
        case unreachable
        /// The server did not answer in time.
        case timedOut
        /// The server answered with another status than 2xx.
        case status(Int)
        /// The server answered with 2xx, and with something that is no answer: a portal of a wireless network does so.
        case invalidAnswer
        /// The caller has gone.
        case cancelled
    }

    /// What went wrong.
    public let kind: Kind
    /// What happened, and what to do.
    public let message: String
    /// How long to wait before sending again, in seconds, if the server says so (RFC 9110, section 10.2.3).
    public let retryAfter: Double?

    /// Describes a failure.
    public init(_ kind: Kind, _ message: String, retryAfter: Double? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether sending again soon may help: the server was not reached or not in time, is busy (408, 425, 429), or failed
    /// (5xx, but not 501 and 505, which say that it never will).
    public var isTemporary: Bool {
        switch kind {
        case .unreachable, .timedOut, .invalidAnswer, .cancelled: true
        case .status(let status): HTTPStatus.isTemporary(status)
        }
    }

    /// The message.
    public var description: String { message }
}
