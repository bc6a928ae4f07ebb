public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Requests configurations over HTTP, with `URLSession`.
///
/// ```swift
/// import Foundation
///
/// func makeDownloader(server: URL) -> URLSessionDownloader {
///     URLSessionDownloader(server: server, token: "app-token", timeout: .seconds(10))
/// }
/// ```
///
/// It caches nothing and stores no cookies. It follows redirections to the same scheme, host and port only, so that no
/// other server sees the token or the user's attributes, and none for requests with a body. `Sendable`; requests run
/// concurrently.
public final class URLSessionDownloader: Downloader {
    private let makeRequest: @Sendable (ConfigurationUser) async throws(RequestError) -> URLRequest
    /// The server whose own files are requested with its token; `nil` if the app makes the requests.
    let server: ServerRequest?
    private let timeout: Duration
    private let bodyLimit: Int
    private let session: HTTPSession

    /// Requests configurations from an Allot server: `GET SERVER/activeconfig/user/ID?name=value`, or `POST` if an
    /// attribute is not text.
    ///
    /// Attributes in a query have no type: `"true"` matches a boolean, and an empty one is absent. Posted ones keep
    /// their types.
    ///
    /// - Parameters:
    ///   - server: the URL under which the server's routes are mounted, without a query: `https://example.org/prefix`.
    ///   - timeout: the maximal time for a whole response.
    ///   - bodyLimit: the maximal size of a response's body in bytes, after decompression.
    ///   - configure: changes the session's configuration before it is used.
    public convenience init(
        server: URL, token: AccessToken? = nil, timeout: Duration = .seconds(60), bodyLimit: Int = 16 << 20,
        configure: (URLSessionConfiguration) -> Void = { _ in }
    ) { self.init(server: server, token: token, timeout, bodyLimit, HTTPSession(configure: configure)) }

    /// Requests configurations from any server, with a request made for each user. The entity tag is added to it.
    public convenience init(
        timeout: Duration = .seconds(60), bodyLimit: Int = 16 << 20,
        configure: (URLSessionConfiguration) -> Void = { _ in },
        request: @escaping @Sendable (ConfigurationUser) -> URLRequest
    ) { self.init(timeout, bodyLimit, HTTPSession(configure: configure), nil, request) }

    convenience init(server: URL, token: AccessToken?, _ timeout: Duration, _ bodyLimit: Int, _ session: HTTPSession) {
        let requests = ServerRequest(server: server, token: token)
        self.init(timeout, bodyLimit, session, requests, requests.configuration)
    }

    private init(
        _ timeout: Duration, _ bodyLimit: Int, _ session: HTTPSession, _ server: ServerRequest?,
        _ makeRequest: @escaping @Sendable (ConfigurationUser) async throws(RequestError) -> URLRequest
    ) {
        (self.makeRequest, self.server, self.timeout, self.bodyLimit) = (makeRequest, server, timeout, bodyLimit)
        self.session = session
    }

    deinit { session.finish() }

    /// Returns the server's response: a body for status 200, none for 304.
    ///
    /// - Throws: ``RequestError``, also for any other status. Its message contains the server's message, and never the
    ///   user's ID as part of a URL.
    public func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
        var urlRequest = try await makeRequest(request.user)
        if let tag = request.entityTag, HTTPFields.isValue(tag) {
            urlRequest.setValue(tag, forHTTPHeaderField: "If-None-Match")
        }
        let answer = try await session.answer(
            urlRequest, acceptsUnchanged: true, limit: bodyLimit, timeout: timeout)
        let (interval, boundary) = (HTTPFields.freshness(answer.response), HTTPFields.boundary(answer.response))
        guard answer.response.statusCode == 200 else {
            return DownloadAnswer(body: nil, interval: interval, boundary: boundary)
        }
        return DownloadAnswer(
            body: answer.body, entityTag: answer.response.value(forHTTPHeaderField: "ETag"),
            signature: answer.response.value(forHTTPHeaderField: "x-jws-signature"), interval: interval,
            boundary: boundary)
    }

    /// Returns the bytes of a file: for status 200. The token is sent to the server of configurations only: to the same
    /// scheme, host and port. The timeout is longer by a second for each 16 KiB of the limit.
    public func downloadFile(at url: URL, limit: Int) async throws(RequestError) -> [UInt8] {
        var request = URLRequest(url: url)
        try await server?.authorize(&request)
        return try await session.file(request, limit: limit, timeout: timeout)
    }
}
