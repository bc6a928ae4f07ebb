/// Asks a server for a user's configuration, once: waiting, retrying and storing are the client's.
public protocol Downloader: Sendable {
    /// The server's answer.
    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer
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
