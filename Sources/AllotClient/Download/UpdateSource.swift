/// Tells when the server has another configuration in force.
public protocol UpdateSource: Sendable {
    /// Listens to the server, until it ends the connection, the connection breaks, or whoever listens does not any more.
    ///
    /// One stream is one connection: connecting again, and waiting before it, is the client's. What is not taken yet is
    /// replaced by what is newer. Errors are ``DownloadError``s.
    func updates() -> AsyncThrowingStream<ServerUpdate, any Error>
}

/// What a server says is in force.
public struct ServerUpdate: Sendable, Hashable {
    /// The revision of the definitions, as `configuration_revision` of `meta` has it.
    public let revision: String
    /// How long the server wants clients to wait before they connect again, in seconds; `nil` when it does not say.
    public let retry: Double?

    /// Describes an update.
    public init(revision: String, retry: Double? = nil) {
        self.revision = revision
        self.retry = retry
    }
}
