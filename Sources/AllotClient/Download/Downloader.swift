public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests a user's configuration from a server, once. The client waits, retries and stores.
public protocol Downloader: Sendable {
    /// Returns the server's response.
    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer

    /// Returns the bytes of a file that a setting names, unchecked, and at most `limit` of them. By default it is
    /// requested with `URLSession` and without an access token; a downloader that decorates another one passes this on.
    func downloadFile(at url: URL, limit: Int) async throws(RequestError) -> [UInt8]
}

extension Downloader {
    /// Requests a file with `URLSession`, without an access token.
    public func downloadFile(at url: URL, limit: Int) async throws(RequestError) -> [UInt8] {
        let session = HTTPSession()
        defer { session.finish() }
        return try await session.file(URLRequest(url: url), limit: limit, timeout: .seconds(60))
    }
}

/// A request for a configuration.
public struct DownloadRequest: Sendable, Hashable {
    /// The user whose configuration is requested.
    public let user: ConfigurationUser
    /// The entity tag of the response that the client has already, as the server sent it.
    public let entityTag: String?

    /// Creates a request, for tests of a downloader; without an entity tag if the client has no response.
    public init(user: ConfigurationUser, entityTag: String? = nil) { (self.user, self.entityTag) = (user, entityTag) }
}

/// A server's response.
public struct DownloadAnswer: Sendable, Hashable {
    /// The configuration as sent, unchecked; `nil` if the client has it already.
    public let body: [UInt8]?
    /// The response's entity tag, which is sent with the next request.
    public let entityTag: String?
    /// The detached signature of the body (RFC 7515, appendix F).
    public let signature: String?
    /// The time in seconds within which the server need not be asked again, which replaces the client's own; `nil` if
    /// it does not set one.
    public let interval: Double?
    /// The time in seconds after which the configuration may change by itself, such as at the start of an experiment;
    /// `nil` if it never does. The client asks at the latest then, and never later because of it.
    public let boundary: Double?

    /// Creates a response with a configuration, or without one if the client has it already.
    public init(
        body: [UInt8]?, entityTag: String? = nil, signature: String? = nil, interval: Double? = nil,
        boundary: Double? = nil
    ) {
        (self.body, self.entityTag, self.signature, self.interval) = (body, entityTag, signature, interval)
        self.boundary = boundary
    }
}
