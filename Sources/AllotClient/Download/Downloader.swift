/// Asks a server for a user's configuration, once: waiting, retrying and storing are the client's.
public protocol Downloader: Sendable {
    /// The server's answer.
    func download(_ request: DownloadRequest) async throws(DownloadError) -> DownloadAnswer
}

/// What is asked.
public struct DownloadRequest: Sendable, Hashable {
    /// For whom.
    public let user: ConfigurationUser
    /// The entity tag of the answer that the client has already, as the server gave it.
    public let entityTag: String?

    /// Describes a request.
    public init(user: ConfigurationUser, entityTag: String? = nil) {
        self.user = user
        self.entityTag = entityTag
    }
}

/// What a server answers.
public struct DownloadAnswer: Sendable, Hashable {
    /// The configuration as sent, not yet looked at; `nil` when it is the one that the client has already.
    public let body: [UInt8]?
    /// The answer's entity tag, to be sent with the next request.
    public let entityTag: String?
    /// The detached signature of the body (RFC 7515, appendix F).
    public let signature: String?
    /// How long the server need not be asked again, in seconds; `nil` when it does not say.
    public let interval: Double?

    /// A configuration.
    public init(body: [UInt8], entityTag: String? = nil, signature: String? = nil, interval: Double? = nil) {
        self.body = body
        self.entityTag = entityTag
        self.signature = signature
        self.interval = interval
    }

    private init(unchangedFor interval: Double?) {
        body = nil
        entityTag = nil
        signature = nil
        self.interval = interval
    }

    /// The client has the configuration already.
    public static func unchanged(interval: Double? = nil) -> DownloadAnswer {
        DownloadAnswer(unchangedFor: interval)
    }
}

/// Why there is no answer.
public struct DownloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The server was not reached, or the connection broke.
        case unreachable
        /// The server did not answer in time.
        case timedOut
        /// The server answered with a status that is neither 200 nor 304.
        case status(Int)
        /// The answer is larger than the client takes.
        case tooLarge
        /// What the server sent is not what was asked for.
        case malformed
        /// The request cannot be made as it is asked for.
        case invalidRequest
        /// The caller has gone.
        case cancelled
    }

    /// What went wrong.
    public let kind: Kind
    /// What happened, and what to do.
    public let message: String
    /// How long to wait before asking again, in seconds, if the server says so (RFC 9110, section 10.2.3).
    public let retryAfter: Double?

    /// Describes a failure.
    public init(_ kind: Kind, _ message: String, retryAfter: Double? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether asking again may help: the server was not reached or not in time, something else answered in its place, it is
    /// busy (408, 425, 429), or it failed (5xx, but not 501 and 505, which say that it never will).
    public var isTemporary: Bool {
        switch kind {
        case .unreachable, .timedOut, .malformed: true
        case .status(let status): HTTPStatus.isTemporary(status)
        case .tooLarge, .invalidRequest, .cancelled: false
        }
    }

    /// The message.
    public var description: String { message }
}
