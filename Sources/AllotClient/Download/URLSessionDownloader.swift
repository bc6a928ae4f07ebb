public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Asks a server over HTTP for configurations, with `URLSession`.
///
/// Nothing is cached, and no cookies are kept. Redirections are followed to the same scheme, host and port only, so that
/// neither the token nor what is known of a user gets elsewhere, and not for requests with a body. `Sendable`; requests run side by side.
public final class URLSessionDownloader: Downloader {
    /// The most bytes of an answer unless another limit is given, 16 MiB.
    public static let defaultBodyLimit = 16 << 20

    private typealias MakeRequest = @Sendable (ConfigurationUser) throws(RequestError) -> URLRequest

    private let makeRequest: MakeRequest
    private let timeout: Duration
    private let bodyLimit: Int
    private let session: HTTPSession
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Asks an Allot server: `GET SERVER/activeconfig/user/ID?name=value`, or `POST` when an attribute is not text.
    ///
    /// Attributes in a query have no type: `"true"` meets a boolean, and an empty one is absent. Typed ones, with one among
    /// them that is not text, are what they are.
    ///
    /// - Parameters:
    ///   - server: where the server's routes begin: `https://example.org/prefix`; no query.
    ///   - token: sent as `Authorization: Bearer TOKEN`.
    ///   - timeout: how long a whole answer may take.
    ///   - bodyLimit: the most bytes of an answer's body, after decompression.
    ///   - configure: changes the session's configuration before it is used.
    public convenience init(
        server: URL, token: String? = nil, timeout: Duration = .seconds(60), bodyLimit: Int = defaultBodyLimit,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        self.init(
            server: server, token: token, timeout: timeout, bodyLimit: bodyLimit, configure: configure, now: { Date() },
            sleep: { try await Task.sleep(for: $0) })
    }

    /// Asks any server: with the request that is made for each user. The client adds the entity tag of what it has.
    public convenience init(
        timeout: Duration = .seconds(60), bodyLimit: Int = defaultBodyLimit,
        configure: (URLSessionConfiguration) -> Void = { _ in },
        request: @escaping @Sendable (ConfigurationUser) -> URLRequest
    ) {
        self.init(
            makeRequest: { user throws(RequestError) in request(user) }, timeout: timeout, bodyLimit: bodyLimit,
            configure: configure, now: { Date() }, sleep: { try await Task.sleep(for: $0) })
    }

    convenience init(
        server: URL, token: String? = nil, timeout: Duration = .seconds(60), bodyLimit: Int = defaultBodyLimit,
        configure: (URLSessionConfiguration) -> Void = { _ in }, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        let requests = ServerRequest(server: server, token: token)
        self.init(
            makeRequest: { user throws(RequestError) in try requests.configuration(user) }, timeout: timeout,
            bodyLimit: bodyLimit, configure: configure, now: now, sleep: sleep)
    }

    private init(
        makeRequest: @escaping MakeRequest, timeout: Duration, bodyLimit: Int,
        configure: (URLSessionConfiguration) -> Void, now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.makeRequest = makeRequest
        self.timeout = timeout
        self.bodyLimit = bodyLimit
        self.now = now
        self.sleep = sleep
        session = HTTPSession(configure: configure)
    }

    deinit {
        session.finish()
    }

    /// The server's answer: a body for status 200, none for 304.
    ///
    /// - Throws: ``RequestError``, for any other status too; its message holds what the server says, and never the user's ID
    ///   as part of a URL.
    public func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
        var urlRequest = try makeRequest(request.user)
        guard let origin = urlRequest.url.flatMap(HTTPOrigin.init)?.description else {
            throw RequestError(.invalidRequest, "the request's URL is not one of http or https; check it")
        }
        if let tag = request.entityTag, HTTPFields.isValue(tag) {
            urlRequest.setValue(tag, forHTTPHeaderField: "If-None-Match")
        }
        let answer = try await session.answer(
            urlRequest, origin: origin, limit: bodyLimit, timeout: timeout, sleep: sleep)
        switch answer.response.statusCode {
        case 200:
            return DownloadAnswer(
                body: answer.body, entityTag: answer.response.value(forHTTPHeaderField: "ETag"),
                signature: answer.response.value(forHTTPHeaderField: "x-jws-signature"),
                interval: HTTPFields.freshness(answer.response))
        case 304 where urlRequest.value(forHTTPHeaderField: "If-None-Match") != nil:
            return .unchanged(interval: HTTPFields.freshness(answer.response))
        default:
            throw RequestError(answer.response, body: answer.body, origin, now: now())
        }
    }
}
