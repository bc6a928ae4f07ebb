import AllotConfiguration
import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// Methods that a path does not have, and paths that do not exist.
struct MethodTests {
    static let paths: [(path: String, allow: String)] = [
        ("/activeconfig/user/a", "GET, POST, HEAD, OPTIONS"), ("/activeconfig/user", "GET, HEAD, OPTIONS"),
        ("/active_config?userID=a", "GET, HEAD, OPTIONS"), ("/ofrep/v1/evaluate/flags/Page.Color", "POST, OPTIONS"),
        ("/ofrep/v1/evaluate/flags", "POST, OPTIONS"), ("/explain/a", "GET, HEAD, OPTIONS"),
        ("/events", "GET, HEAD, OPTIONS"), ("/exposures", "POST, GET, HEAD, OPTIONS"),
        ("/experiments/button/exposures", "GET, HEAD, OPTIONS"), ("/health/live", "GET, HEAD, OPTIONS"),
        ("/health/ready", "GET, HEAD, OPTIONS"), ("/metrics", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"), ("/style.css", "GET, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS"),
        ("/device", "GET, HEAD, OPTIONS"),
    ]

    @Test("A path answers HEAD as GET without the body, and other methods with those that it has", arguments: paths)
    func methods(path: String, allow: String) async throws {
        try await TestedRoutes.testExposures { client, _ in
            let allowed = allow.split(separator: ", ").map(String.init)
            let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"]
            for method in methods where !allowed.contains(method) {
                let answer = try await client.send(try #require(HTTPRequest.Method(method)), path)
                #expect(answer.status == .methodNotAllowed, "\(method)")
                #expect(answer.headers[.allow] == allow, "\(method)")
                #expect(answer.headers[.contentType] == "application/json")
                if method != "HEAD" { try answer.expectFailure(.methodNotAllowed, "it takes \(allow)") }
            }
            let options = try await client.send(.options, path)
            #expect(options.status == .noContent)
            #expect(options.headers[.allow] == allow)
            // The stream of events does not end.
            guard allowed.contains("GET"), path != "/events" else { return }
            let get = try await client.get(path)
            let head = try await client.send(.head, path)
            #expect(head.status == get.status)
            #expect(head.bytes.isEmpty)
            #expect(head.headers[.contentType] == get.headers[.contentType])
            #expect(head.headers[.eTag] == get.headers[.eTag])
        }
    }

    @Test("Requests that fail have no body for HEAD, and are counted without their paths")
    func refusedRequestsAreCounted() async throws {
        try await TestedRoutes.testExposures { client, _ in
            let failure = try await client.send(.head, "/activeconfig/user/a%zz")
            #expect(failure.status == .badRequest)
            #expect(failure.bytes.isEmpty)
            let labels = #"method="DELETE",route="/experiments/{key}/exposures",status="405""#
            let series = "allot_http_requests_total{\(labels)}"
            let before = try await client.metric(series)
            _ = try await client.send(.delete, "/experiments/secret/exposures")
            // Other tests count into the one registry, too.
            #expect(try await client.metric(series) > before)
            let text = try await client.get("/metrics").text
            #expect(!text.contains("secret"))
            #expect(!text.contains(#"route="//"#))
        }
    }

    @Test("A server's own router answers unknown paths with JSON, and unknown methods with 501")
    func unmatchedRequestsAreAnswered() async throws {
        let routes = try TestedRoutes()
        let router = Router()
        router.addAllot(routes.allot)
        router.add(middleware: UnmatchedRequests())
        try await Application(router: router).test(.router) { client async throws in
            let invented = try #require(HTTPRequest.Method("BREW"))
            let series = #"allot_http_requests_total{method="other",route="none",status="501"}"#
            let before = try await client.metric(series)
            for path in ["/nothing", "/activeconfig", "/secret/path", "/activeconfig/user/a/b"] {
                try await client.get(path).expectFailure(.notFound, "/openapi.json")
                let head = try await client.send(.head, path)
                #expect(head.status == .notFound)
                #expect(head.bytes.isEmpty)
                let answer = try await client.send(invented, path)
                try answer.expectFailure(.notImplemented, "no such method")
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            let known = try await client.send(invented, "/health/live")
            #expect(known.status == .notImplemented)
            #expect(try await client.metric(series) == before + 5)
            #expect(try await !client.get("/metrics").text.contains("BREW"))
        }
    }
}
