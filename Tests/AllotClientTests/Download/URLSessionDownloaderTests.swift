import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct URLSessionDownloaderTests {
    static let body = #"{"config_sections":{},"meta":{}}"#

    @Test("A response has body, entity tag, signature, interval and boundary")
    func anAnswer() async throws {
        let server = try StubServer { _ in
            [
                .answer(
                    "200 OK",
                    [
                        #"ETag: "9f-1""#, "X-JWS-Signature: e30..c2ln", "Cache-Control: private, max-age=300",
                        "Allot-Boundary: 7200", "Age: 20",
                    ], Self.body)
            ]
        }
        let downloader = try URLSessionDownloader(server: server.url("/prefix/"), token: "secret")
        let answer = try await downloader.download(DownloadRequest(user: ConfigurationUser("jane")))
        #expect(
            answer
                == DownloadAnswer(
                    body: Array(Self.body.utf8), entityTag: #""9f-1""#, signature: "e30..c2ln", interval: 280,
                    boundary: 7180))
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/prefix/activeconfig/user/jane")
        #expect(request.header("authorization") == "Bearer secret")
        #expect(request.header("accept") == "application/json")
        #expect(request.header("accept-encoding")?.contains("gzip") == true)
        #expect(request.header("if-none-match") == nil)
    }

    @Test("Status 304 is a response without a body")
    func unchanged() async throws {
        let head = "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nCache-Control: max-age=60\r\nAllot-Boundary: 9\r\n\r\n"
        let server = try StubServer { _ in [.send(head)] }
        let downloader = try URLSessionDownloader(server: server.url())
        let tag = #"W/"9f-1-gzip""#
        let answer = try await downloader.download(DownloadRequest(user: .none, entityTag: tag))
        #expect(answer == DownloadAnswer(body: nil, interval: 60, boundary: 9))
        #expect(server.requests.first?.header("if-none-match") == tag)
        // What cannot be a header is not sent, and then there is nothing that could be unchanged.
        for tag in [nil, "a\r\nX-Bad: 1", "", "é"] {
            let failure = await Self.failure(downloader, DownloadRequest(user: .none, entityTag: tag))
            #expect(failure?.kind == .status(304))
        }
        #expect(server.requests.allSatisfy { $0.header("x-bad") == nil })
    }

    static let statuses: [(status: String, headers: [String], body: String, message: String, retryAfter: Double?)] = [
        ("500 Internal Server Error", [], "", "; ask again later", nil),
        ("429 Too Many Requests", ["Retry-After: 120"], #"{"error":"too often"}"#, ": too often; ask again later", 120),
        ("503 Unavailable", ["Retry-After: Sun, 06 Nov 1994 08:49:47 GMT"], "", "; ask again later", 10),
        (
            "502 Bad Gateway", ["Content-Type: text/html"], "<html>\n  <h1>Bad\u{1b}[31m gateway</h1>",
            ": <html> <h1>Bad\\u001B[31m gateway</h1>; ask again later", nil
        ),
        (
            "401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"allot\""], #"{"error":"send a token"}"#,
            ": send a token; give the client a token", nil
        ),
        ("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"proxy\""], "", "; give the client a token", nil),
        ("404 Not Found", [], "nothing", ": nothing; check the server's URL", nil), ("204 No Content", [], "", "", nil),
        ("206 Partial Content", [], "{", ": {", nil), ("600 Strange", [], "", "", nil),
        ("400 Bad", [], String(repeating: "x", count: 100_000), ": \(String(repeating: "x", count: 200))…", nil),
    ]

    @Test("Other statuses are errors", arguments: statuses.indices)
    func otherStatusesAreErrors(index: Int) async throws {
        let expected = Self.statuses[index]
        let server = try StubServer { _ in [.answer(expected.status, expected.headers, expected.body)] }
        let downloader = try URLSessionDownloader(
            server: server.url(),
            session: HTTPSession(
                clock: ClientClock(now: { Date(timeIntervalSince1970: 784_111_777) }, sleep: Self.never)))
        let failure = try #require(await Self.failure(downloader))
        let status = Int(expected.status.prefix(3)) ?? 0
        #expect(failure.kind == .status(status))
        let message = "http://127.0.0.1:\(server.port) answered with status \(status)\(expected.message)"
        #expect(failure.description == message)
        #expect(failure.retryAfter == expected.retryAfter)
    }

    private static let truncated: [String] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"meta\"",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n{\"meta\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n{\"m", "no HTTP at all\r\n\r\n", "",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n",
    ]

    @Test("A truncated response is an error, with or without a part of a compressed body", arguments: truncated)
    func aTruncatedAnswerIsAnError(text: String) async throws {
        let packed = StoredGzip.bytes([UInt8](repeating: 1, count: 1000))
        let bodies: [[UInt8]] = text.contains("gzip") ? [[], Array(packed.prefix(90))] : [[]]
        for body in bodies {
            let server = try StubServer { _ in [.send(Array(text.utf8) + body), .close] }
            let failure = try #require(await Self.failure(URLSessionDownloader(server: server.url())))
            #expect(failure.kind == .unreachable)
            #expect(failure.isTemporary)
            #expect(failure.description.hasPrefix("http://127.0.0.1:\(server.port) "))
        }
    }

    #if canImport(Darwin)
        /// FoundationNetworking of Swift 6.3 ends the process: "Transfer completed, but there's no response".
        @Test("A truncated head is an error")
        func aTruncatedHeadIsAnError() async throws {
            let server = try StubServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Le"), .close] }
            #expect(try await Self.failure(URLSessionDownloader(server: server.url()))?.kind == .unreachable)
        }
    #endif

    @Test("A compressed response is decompressed")
    func aCompressedAnswer() async throws {
        let content = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let packed = StoredGzip.bytes(content)
        let server = try StubServer { request in
            request.header("if-none-match") == #""a-gzip""#
                ? [.answer("304 Not Modified")]
                : [.answer("200 OK", ["Content-Encoding: gzip", #"ETag: "a-gzip""#], body: packed)]
        }
        let downloader = try URLSessionDownloader(server: server.url())
        let answer = try await downloader.download(DownloadRequest(user: .none))
        #expect(answer.body == content)
        let again = try await downloader.download(DownloadRequest(user: .none, entityTag: answer.entityTag))
        #expect(again == DownloadAnswer(body: nil))
    }

    @Test("A response that is too large is an error")
    func anAnswerThatIsTooLarge() async throws {
        let limit = 50_000
        let chunk = "1000\r\n\(String(repeating: "x", count: 4096))\r\n"
        for steps: [StubServer.Step] in [
            // One that tells its length, and sends none of it.
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 50001\r\n\r\n"), .hang],
            // One that never ends.
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")]
                + [StubServer.Step](repeating: .send(chunk), count: 100) + [.hang],
            [
                .answer(
                    "200 OK", ["Content-Encoding: gzip"], body: StoredGzip.bytes([UInt8](repeating: 1, count: 50_001)))
            ],
        ] {
            let server = try StubServer { _ in steps }
            let downloader = try URLSessionDownloader(server: server.url(), bodyLimit: limit)
            let failure = await Self.failure(downloader)
            #expect(failure?.kind == .tooLarge)
            #expect(failure?.description.contains("more than the limit of 50000 bytes") == true)
        }
        let server = try StubServer { _ in [.answer("200 OK", body: [UInt8](repeating: 1, count: limit))] }
        let answer = try await URLSessionDownloader(server: server.url(), bodyLimit: limit).download(.init(user: .none))
        #expect(answer.body?.count == limit)
    }

    /// The time is up as soon as the request is there.
    @Test("A server that never answers, or stops within its answer, times out")
    func aServerThatNeverAnswers() async throws {
        for path in ["", "/stops"] {
            let downloader = try URLSessionDownloader(
                server: #require(URL(string: "http://localhost\(path)")), timeout: .seconds(600),
                session: HTTPSession(clock: ClientClock(sleep: { _ in await SilentServer.waitForRequest() })) {
                    $0.protocolClasses = [SilentServer.self]
                })
            let failure = await Self.failure(downloader)
            #expect(failure?.kind == .timedOut, "\(path)")
            #expect(failure?.isTemporary == true)
            #expect(failure?.description.contains("did not answer within 600.0 seconds") == true)
        }
    }

    @Test("The system's own timeout is reported as such")
    func theSystemsOwnTimeout() async throws {
        let server = try StubServer { _ in [.hang] }
        let downloader = try URLSessionDownloader(
            server: server.url(), timeout: .milliseconds(200),
            session: HTTPSession(clock: ClientClock(sleep: Self.never)))
        #expect(await Self.failure(downloader)?.kind == .timedOut)
    }

    @Test("A port that refuses connections is an error")
    func portsRefuse() async throws {
        let server = try StubServer { _ in [] }
        let url = try server.url()
        server.end()
        let failure = await Self.failure(URLSessionDownloader(server: url, token: "secret"), .init(user: .init("jane")))
        #expect(failure?.kind == .unreachable)
        #expect(failure?.isTemporary == true)
        #expect(failure?.description.contains("secret") == false)
        #expect(failure?.description.contains("jane") == false)
    }

    @Test("Cancelling the task cancels the request")
    func cancellationEndsTheRequest() async throws {
        let server = try StubServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .hang] }
        let downloader = try URLSessionDownloader(
            server: server.url(), timeout: .seconds(3600),
            session: HTTPSession(clock: ClientClock(sleep: Self.never)))
        let task = Task { await Self.failure(downloader) }
        await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Self.failure(downloader)
        }
        #expect(await early.value?.kind == .cancelled)
    }

    @Test("Redirections to the same origin are followed")
    func redirectionsToTheSameOriginAreFollowed() async throws {
        let server = try StubServer { request in
            request.target == "/activeconfig/user/jane"
                ? [.answer("307 Temporary Redirect", ["Location: /elsewhere"], "moved")] : [.success(Self.body)]
        }
        let downloader = try URLSessionDownloader(server: server.url(), token: "secret")
        let answer = try await downloader.download(.init(user: ConfigurationUser("jane"), entityTag: "\"a\""))
        #expect(answer.body == Array(Self.body.utf8))
        #expect(server.requests.map(\.target) == ["/activeconfig/user/jane", "/elsewhere"])
        #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer secret" })
        #expect(server.requests.allSatisfy { $0.header("if-none-match") == "\"a\"" })
    }

    /// Without its attributes a request would be answered for another user. PORT is that of another server.
    @Test(
        "Redirections of posted requests, and to other origins, are errors",
        arguments: [
            ("302 Found", "/elsewhere", true), ("307 Temporary Redirect", "/elsewhere", true),
            ("302 Found", "http://127.0.0.1:PORT/", false), ("302 Found", "http://localhost:PORT/x", false),
            ("302 Found", "ftp://127.0.0.1/x", false),
        ])
    func otherRedirectionsAreErrors(status: String, location: String, isPosted: Bool) async throws {
        let other = try StubServer { _ in [.success(Self.body)] }
        let place = location.replacing("PORT", with: "\(other.port)")
        let server = try StubServer { _ in [.answer(status, ["Location: \(place)"], "moved")] }
        let user = ConfigurationUser("jane", attributes: isPosted ? ["age": 7] : [:])
        let downloader = try URLSessionDownloader(server: server.url(), token: "secret")
        let failure = await Self.failure(downloader, DownloadRequest(user: user))
        #expect(failure?.kind == .status(Int(status.prefix(3)) ?? 0))
        #expect(server.requests.count == 1)
        #expect(other.requests.isEmpty)
    }

    @Test("Endless redirections are errors")
    func redirectionsWithoutEndAreErrors() async throws {
        let server = try StubServer { _ in [.answer("302 Found", ["Location: /again"])] }
        #expect(try await Self.failure(URLSessionDownloader(server: server.url())) != nil)
        #expect(server.requests.count <= 21)
    }

    @Test("The app can configure the session, which stores no cookies")
    func theSessionIsConfigured() async throws {
        let server = try StubServer { _ in
            [.answer("200 OK", ["Set-Cookie: a=b", "Cache-Control: max-age=60"], Self.body)]
        }
        let downloader = try URLSessionDownloader(server: server.url()) { configuration in
            configuration.httpAdditionalHeaders = ["X-Own": "1"]
        }
        for _ in 0..<2 { _ = try await downloader.download(.init(user: .none)) }
        #expect(server.requests.map { $0.header("x-own") } == ["1", "1"])
        #expect(server.requests.allSatisfy { $0.header("cookie") == nil })
    }

    @Test("Connections that the server closed are replaced")
    func connectionsThatTheServerClosedAreReplaced() async throws {
        // The downloader does not check the body.
        let server = try StubServer { _ in [.success(""), .close] }
        let downloader = try URLSessionDownloader(server: server.url())
        for _ in 0..<10 { #expect(try await downloader.download(.init(user: .none)).body == []) }
    }

    @Test("Requests run concurrently")
    func requestsSideBySide() async throws {
        let server = try StubServer { request in [.success(request.target)] }
        let downloader = try URLSessionDownloader(server: server.url())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let answer = try await downloader.download(.init(user: ConfigurationUser("u\(index)")))
                    #expect(answer.body == Array("/activeconfig/user/u\(index)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Requests to other servers can be made by hand")
    func otherServers() async throws {
        let server = try StubServer { _ in [.success(Self.body)] }
        let url = try server.url("/own?user=")
        let downloader = URLSessionDownloader { user in
            var request = URLRequest(url: URL(string: url.absoluteString + (user.id ?? "")) ?? url)
            request.setValue("1", forHTTPHeaderField: "X-Own")
            return request
        }
        _ = try await downloader.download(.init(user: ConfigurationUser("jane"), entityTag: "\"a\""))
        let request = try #require(server.requests.first)
        #expect(request.target == "/own?user=jane")
        #expect(request.header("x-own") == "1")
        #expect(request.header("if-none-match") == "\"a\"")
        let wrong = URLSessionDownloader { _ in URLRequest(url: URL(filePath: "/etc/passwd")) }
        #expect(await Self.failure(wrong)?.kind == .invalidRequest)
    }

    /// Their connections close with them.
    @Test("Sessions are released with their downloader", .mayHang)
    func sessionsAreLetGo() async throws {
        let server = try StubServer { _ in [.success(Self.body)] }
        for _ in 0..<5 { _ = try await URLSessionDownloader(server: server.url()).download(.init(user: .none)) }
        #expect(server.requests.count == 5)
        while server.connectionCount > 0 { await Task.yield() }
    }

    @Sendable static func never(_: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }

    static func failure(
        _ downloader: URLSessionDownloader, _ request: DownloadRequest = DownloadRequest(user: .none)
    ) async -> RequestError? {
        do {
            _ = try await downloader.download(request)
            return nil
        } catch { return error }
    }
}

extension URLSessionDownloader {
    /// A downloader whose time is that of the test.
    convenience init(
        server: URL, token: String? = nil, timeout: Duration = .seconds(60), session: HTTPSession
    ) { self.init(server: server, token: token.map { AccessToken($0) }, timeout, 16 << 20, session) }
}

/// A server inside the session that takes requests and says nothing, or stops after the first byte of a body.
///
/// There is no connection: FoundationNetworking now and then uses a whole processor for good after the cancellation of
/// a request that a server has just received.
private final class SilentServer: URLProtocol {
    private static let requests = AsyncStream<Void>.makeStream()

    /// Waits for a request.
    static func waitForRequest() async { for await _ in requests.stream { return } }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
        if let url = request.url, url.path.hasPrefix("/stops"),
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "100"])
        {
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("{".utf8))
        }
        Self.requests.continuation.yield()
    }
    override func stopLoading() {}
}
