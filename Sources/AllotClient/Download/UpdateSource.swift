import AllotFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Reports when the server's configurations change; see ``ConfigurationClient/follow(_:)``.
public protocol UpdateSource: Sendable {
    /// Connects to the server, until it ends the connection, the connection breaks, or the subscriber ends.
    ///
    /// One stream is one connection: the client waits and connects again. A newer update replaces one that was not read
    /// yet. Errors are ``RequestError``s.
    func updates() -> AsyncThrowingStream<ServerUpdate, any Error>
}

/// The state of a server's configurations.
public struct ServerUpdate: Sendable, Hashable {
    /// The revision of the definitions, as in `configuration_revision` of `meta`.
    public let revision: String
    /// The last instant that has passed at which decisions changed, such as the start of an experiment; `nil` for none.
    /// The client only compares the text with the one before it.
    public let boundary: String?
    /// The delay in seconds before clients connect again; `nil` if the server does not set one.
    public let retry: Double?

    /// Creates an update; a boundary has the same form in all updates, such as `2026-12-01T09:00:00Z`.
    public init(revision: String, boundary: String? = nil, retry: Double? = nil) {
        (self.revision, self.boundary, self.retry) = (revision, boundary, retry)
    }
}

/// Subscribes to an Allot server's `GET SERVER/events` (server-sent events), with `URLSession`.
///
/// Each stream has a connection and a session of its own, which end with it. The last event ID of the server is sent
/// with the next connection. `Sendable`.
public final class URLSessionUpdateSource: UpdateSource {
    private let requests: ServerRequest
    private let silence: Duration
    private let configure: @Sendable (URLSessionConfiguration) -> Void
    private let clock: ClientClock
    private let lastEventID = Lock<String?>(nil)

    /// Subscribes to a server, at a URL as that of ``URLSessionDownloader``. The connection counts as broken after
    /// `silence` without any data; an Allot server sends something every 15 seconds.
    public convenience init(
        server: URL, token: AccessToken? = nil, silence: Duration = .seconds(45),
        configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in }
    ) { self.init(server: server, token: token, silence: silence, configure: configure, clock: ClientClock()) }

    init(
        server: URL, token: AccessToken? = nil, silence: Duration = .seconds(45),
        configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in }, clock: ClientClock
    ) {
        requests = ServerRequest(server: server, token: token)
        (self.silence, self.configure, self.clock) = (silence, configure, clock)
    }

    /// Connects at once. The first element is the current state, the others are later ones. The stream ends when the
    /// server ends it, and otherwise throws a ``RequestError``.
    public func updates() -> AsyncThrowingStream<ServerUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ServerUpdate.self, bufferingPolicy: .bufferingNewest(1))
        let last = lastEventID.withLock { $0 }
        let noteID: @Sendable (String) -> Void = { [weak self] id in self?.lastEventID.withLock { $0 = id } }
        let session = HTTPSession(clock: clock, configure: configure)
        let connection = Task { [requests, silence] in
            defer { session.finish() }
            do throws(RequestError) {
                var request = try await requests.events()
                if let last, HTTPFields.isValue(last) { request.setValue(last, forHTTPHeaderField: "Last-Event-ID") }
                let origin = request.url.flatMap(HTTPOrigin.init)?.description ?? "the server"
                let reader = EventReader(
                    lastEventID: last, origin: origin, receive: { continuation.yield($0) }, noteID: noteID)
                _ = try await session.answer(request, timeout: silence, reader: reader)
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in connection.cancel() }
        return stream
    }
}
