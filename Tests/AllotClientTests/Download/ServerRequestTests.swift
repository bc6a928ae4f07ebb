import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ServerRequestTests {
    /// IDs and the target that the server gets, as sent.
    static let targets: [(user: ConfigurationUser, target: String)] = [
        (.none, "/activeconfig/user"),
        (ConfigurationUser(""), "/activeconfig/user"),
        (ConfigurationUser("jane"), "/activeconfig/user/jane"),
        (ConfigurationUser("Jane-1_~"), "/activeconfig/user/Jane-1_~"),
        (ConfigurationUser("a/b"), "/activeconfig/user/a%2Fb"),
        (ConfigurationUser("/"), "/activeconfig/user/%2F"),
        (ConfigurationUser("../admin"), "/activeconfig/user/%2E%2E%2Fadmin"),
        (ConfigurationUser("..."), "/activeconfig/user/%2E%2E%2E"),
        (ConfigurationUser("."), "/active_config?userID=%2E"),
        (ConfigurationUser(".."), "/active_config?userID=%2E%2E"),
        (ConfigurationUser("..", attributes: ["a": "b"]), "/active_config?userID=%2E%2E&a=b"),
        (ConfigurationUser("a?b#c&d=e+f g"), "/activeconfig/user/a%3Fb%23c%26d%3De%2Bf%20g"),
        (ConfigurationUser("%41%"), "/activeconfig/user/%2541%25"),
        (ConfigurationUser("\0\r\n\t"), "/activeconfig/user/%00%0D%0A%09"),
        (ConfigurationUser("é"), "/activeconfig/user/%C3%A9"),
        (ConfigurationUser("e\u{301}"), "/activeconfig/user/e%CC%81"),
        (ConfigurationUser("🙂"), "/activeconfig/user/%F0%9F%99%82"),
        (ConfigurationUser("a;b@c:d[e]"), "/activeconfig/user/a%3Bb%40c%3Ad%5Be%5D"),
        (ConfigurationUser(nil, attributes: ["country": "DE"]), "/activeconfig/user?country=DE"),
        (
            ConfigurationUser("jane", attributes: ["b": "1 + 1 = 2", "a": "x&y", "é": ""]),
            "/activeconfig/user/jane?a=x%26y&b=1%20%2B%201%20%3D%202&%C3%A9="
        ),
    ]

    @Test("Users and attributes are encoded in the request's target", arguments: targets.indices)
    func targetsOnTheWire(index: Int) async throws {
        let (user, target) = Self.targets[index]
        let server = try StubServer { _ in [.success("{}")] }
        _ = try await URLSessionDownloader(server: server.url("/p")).download(.init(user: user))
        #expect(server.requests.map(\.target) == ["/p" + target])
        #expect(server.requests.map(\.method) == ["GET"])
    }

    @Test("Typed attributes are posted as JSON")
    func typedAttributesArePosted() async throws {
        for (id, path) in [("a/b", "a%2Fb"), (nil, "%28null%29"), ("..", "%2E%2E"), ("\0", "%00")] {
            let server = try StubServer { _ in [.success("{}")] }
            let user = ConfigurationUser(id, attributes: ["text": "x", "age": 7, "plan": ["beta": true]])
            _ = try await URLSessionDownloader(server: server.url()).download(.init(user: user))
            let request = try #require(server.requests.first)
            #expect(request.method == "POST")
            #expect(request.target == "/activeconfig/user/\(path)")
            #expect(request.header("content-type") == "application/json")
            #expect(request.body == Array(#"{"attributes":{"age":7,"plan":{"beta":true},"text":"x"}}"#.utf8))
        }
    }

    @Test(
        "URLs of other forms are errors",
        arguments: [
            "https://example.org?a=b", "https://example.org/#a", "ftp://example.org", "example.org", "file:///x",
            "https:///x",
        ])
    func otherURLsAreErrors(text: String) async throws {
        let url = try #require(URL(string: text))
        #expect(await URLSessionDownloaderTests.failure(URLSessionDownloader(server: url))?.kind == .invalidRequest)
        #expect(await URLSessionUpdateSourceTests.failure(URLSessionUpdateSource(server: url))?.kind == .invalidRequest)
        let client = ConfigurationClient(server: url, store: MemoryStore(), exposures: nil)
        #expect(client.startProblems.map { "\($0)".hasPrefix("the server's URL must be like https://") } == [true])
    }

    @Test(
        "Tokens with characters that a header cannot have are errors",
        arguments: ["", "a b", "a\r\nX-Bad: 1", "é", "a\0"])
    func tokensThatCannotBeSentAreErrors(token: String) async throws {
        let server = try StubServer { _ in [.success("{}")] }
        let downloader = try URLSessionDownloader(server: server.url(), token: AccessToken(token))
        let failure = await URLSessionDownloaderTests.failure(downloader)
        #expect(failure?.kind == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test("Origins are equal if scheme, host and port are")
    func originsAreCompared() throws {
        func origin(_ text: String) throws -> HTTPOrigin? { HTTPOrigin(try #require(URL(string: text))) }
        let base = try origin("https://example.org/a")
        #expect(try base == origin("HTTPS://EXAMPLE.org:443/b"))
        for other in [
            "http://example.org", "https://example.org:444", "https://example.org.evil", "https://a.example.org",
        ] {
            #expect(try base != origin(other))
        }
        #expect(try origin("https://user:password@[::1]:8443/x")?.description == "https://[::1]:8443")
        #expect(try origin("mailto:a@b") == nil)
    }
}
