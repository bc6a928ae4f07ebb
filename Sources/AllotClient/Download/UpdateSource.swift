public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Tells when the server has another configuration in force.
public protocol UpdateSource: Sendable {
    /// Listens to the server, until it ends the connection, the connection breaks, or whoever listens does not any more.
    ///
    /// One stream is one connection: connecting again, and waiting before it, is the client's. What is not taken yet is
    /// replaced by what is newer. Errors are ``RequestError``s.
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

/// Listens to an Allot server's `GET SERVER/events` (server-sent events), with `URLSession`.
///
/// Each stream has a connection and a session of its own, which end with it. The last ID that the server gave is kept, and
/// sent with the next connection. `Sendable`.
public final class URLSessionUpdateSource: UpdateSource {
    private let requests: ServerRequest
    private let silence: Duration
    private let configure: @Sendable (URLSessionConfiguration) -> Void
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let lastEventID = Mutex<String?>(nil)

    /// Listens to a server.
    ///
    /// - Parameters:
    ///   - server: where the server's routes begin: `https://example.org/prefix`; no query.
    ///   - token: sent as `Authorization: Bearer TOKEN`.
    ///   - silence: how long the server may send nothing at all before the connection counts as broken; an Allot server
    ///     sends something each 15 seconds.
    ///   - configure: changes a session's configuration before it is used.
    public convenience init(
        server: URL, token: String? = nil, silence: Duration = .seconds(45),
        configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in }
    ) {
        self.init(
            server: server, token: token, silence: silence, configure: configure, now: { Date() },
            sleep: { try await Task.sleep(for: $0) })
    }

    init(
        server: URL, token: String? = nil, silence: Duration = .seconds(45),
        configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in },
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        requests = ServerRequest(server: server, token: token)
        self.silence = silence
        self.configure = configure
        self.now = now
        self.sleep = sleep
    }

    /// Connects at once. The first element is the revision in force, the others those that follow it.
    ///
    /// The stream ends when the server ends it, and otherwise throws ``RequestError``.
    public func updates() -> AsyncThrowingStream<ServerUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ServerUpdate.self, bufferingPolicy: .bufferingNewest(1))
        var request: URLRequest
        do {
            request = try requests.events()
        } catch {
            continuation.finish(throwing: error)
            return stream
        }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        // Silence is watched for here; the system's timeout is of a week, as that of its whole transfers.
        request.timeoutInterval = 604_800
        let last = lastEventID.withLock { $0 }
        if let last, HTTPFields.isValue(last) { request.setValue(last, forHTTPHeaderField: "Last-Event-ID") }
        let transfer = EventTransfer(
            continuation, origin: request.url.flatMap(HTTPOrigin.init)?.description ?? "the server", lastEventID: last,
            silence: silence, sleep: sleep, now: now,
            noteID: { [weak self] id in self?.lastEventID.withLock { $0 = id } })
        continuation.onTermination = { _ in transfer.stop() }
        let session = HTTPSession(configure: configure)
        transfer.start(session.task(request, transfer))
        session.finish()
        return stream
    }
}
