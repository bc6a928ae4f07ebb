/// Requests a user's configuration from a server, once. The client waits, retries and stores.
///
/// ```swift
/// /// Serves one configuration, for tests of an app.
/// struct FixedDownloader: Downloader {
///     let body: [UInt8]
///
///     func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
///         DownloadAnswer(body: body)
///     }
/// }
/// ```
public protocol Downloader: Sendable {
    /// Returns the server's response.
    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer
}

/// A request for a configuration.
public struct DownloadRequest: Sendable, Hashable {
    /// The user whose configuration is requested.
    public let user: ConfigurationUser
    /// The entity tag of the response that the client has already, as the server sent it.
    public let entityTag: String?

    package init(user: ConfigurationUser, entityTag: String? = nil) {
        self.user = user
        self.entityTag = entityTag
    }
}

/// A server's response.
public struct DownloadAnswer: Sendable, Hashable {
    /// The configuration as sent, unchecked; `nil` if the client has it already.
    let body: [UInt8]?
    /// The response's entity tag, which is sent with the next request.
    let entityTag: String?
    /// The detached signature of the body (RFC 7515, appendix F).
    let signature: String?
    /// The time in seconds within which the server need not be asked again; `nil` if it does not set one.
    let interval: Double?

    /// Creates a response with a configuration, or without one if the client has it already.
    ///
    /// - Parameters:
    ///   - body: the configuration as sent, unchecked.
    ///   - entityTag: the response's entity tag, which is sent with the next request.
    ///   - signature: the detached signature of the body (RFC 7515, appendix F).
    ///   - interval: the time in seconds within which the server need not be asked again; `nil` if it does not set one.
    public init(body: [UInt8]?, entityTag: String? = nil, signature: String? = nil, interval: Double? = nil) {
        self.body = body
        self.entityTag = entityTag
        self.signature = signature
        self.interval = interval
    }

    /// The response that the client has the configuration already.
    public static func unchanged(interval: Double? = nil) -> DownloadAnswer {
        DownloadAnswer(body: nil, interval: interval)
    }
}
