import AllotConfiguration
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotClient

@Suite(.mayHang) struct AccessTokenTests {
    /// A token that is another one each time.
    private static func rotating() -> AccessToken {
        let count = Mutex(0)
        return AccessToken {
            count.withLock { count in
                count += 1
                return "token-\(count)"
            }
        }
    }

    /// The tokens that a server has seen.
    private static func tokens(_ server: StubServer) -> [String?] { server.requests.map { $0.header("authorization") } }

    @Test("A closure is asked for a token before each request, connection and batch")
    func closures() async throws {
        let server = try StubServer { request in
            switch request.target {
            case "/events": [.send(URLSessionUpdateSourceTests.head + URLSessionUpdateSourceTests.event("a")), .close]
            case "/exposures": [.success(#"{"stored":1,"duplicates":0,"errors":[]}"#)]
            default: [.success("{}")]
            }
        }
        let (url, token) = (try server.url(), Self.rotating())
        let downloader = URLSessionDownloader(server: url, token: token)
        let source = URLSessionUpdateSource(server: url, token: token)
        let sender = URLSessionExposureSender(server: url, token: token)
        for attributes in [[:], ["age": 7]] as [JSONObject] {
            _ = try await downloader.download(DownloadRequest(user: ConfigurationUser("u", attributes: attributes)))
            for try await update in source.updates() { #expect(update.revision == "a") }
            _ = try await sender.send([ExposureFixture.event("a")])
        }
        #expect(server.requests.map(\.method) == ["GET", "GET", "POST", "POST", "GET", "POST"])
        #expect(Self.tokens(server) == (1...6).map { "Bearer token-\($0)" })
    }

    private struct SignedOut: Error, CustomStringConvertible {
        let description = "signed out\nhere"
    }

    /// Errors of a closure, and those of the request.
    private static let failures: [(error: any Error, kind: RequestError.Kind, isTemporary: Bool)] = [
        (SignedOut(), .unreachable, true), (RequestError(.status(401), "sign in again"), .status(401), false),
        (RequestError(.timedOut, "the sign-in is slow"), .timedOut, true),
        // Not of the request: a sign-in that was left, or a task that the closure shares with others.
        (CancellationError(), .unreachable, true), (RequestError(.cancelled, "sign-in left"), .unreachable, true),
    ]

    @Test("Without a token nothing is sent, and the error is that of the closure", arguments: failures.indices)
    func errors(index: Int) async throws {
        let (error, kind, isTemporary) = Self.failures[index]
        let server = try StubServer { _ in [.success("{}")] }
        let token = AccessToken { throw error }
        let url = try server.url()
        let source = URLSessionUpdateSource(server: url, token: token)
        let sender = URLSessionExposureSender(server: url, token: token)
        let failures = [
            await URLSessionDownloaderTests.failure(URLSessionDownloader(server: url, token: token)),
            await URLSessionUpdateSourceTests.failure(source),
            await #expect(throws: RequestError.self) { _ = try await sender.send([ExposureFixture.event("a")]) },
        ]
        for failure in failures {
            #expect(failure?.kind == kind)
            #expect(failure?.isTemporary == isTemporary)
            if error is SignedOut { #expect(failure?.description.contains(#"signed out\nhere"#) == true) }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A request that is cancelled while it waits for a token ends as cancelled")
    func cancelledRequests() async throws {
        let server = try StubServer { _ in [.success("{}")] }
        let gate = Gate()
        let token = AccessToken {
            await gate.pass()
            throw SignedOut()
        }
        let downloader = URLSessionDownloader(server: try server.url(), token: token)
        let request = Task { await URLSessionDownloaderTests.failure(downloader) }
        await gate.arrival()
        request.cancel()
        gate.open()
        #expect(await request.value?.kind == .cancelled)
    }
}
