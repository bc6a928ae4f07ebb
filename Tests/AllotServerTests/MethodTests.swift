import AllotConfiguration
import AllotServer
import HTTPTypes
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
        ("/openapi.json", "GET, HEAD, OPTIONS"), ("/style.css", "GET, HEAD, OPTIONS"),
        ("/favicon.svg", "GET, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS"), ("/device", "GET, HEAD, OPTIONS"),
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

    @Test("A target of absolute form is answered as its path and query are")
    func absoluteTargets() async throws {
        try await TestedRoutes().test { client async throws in
            let target = "/activeconfig/user/a?country=DE"
            let answer = try await client.get("http://localhost" + target)
            #expect(answer.status == .ok)
            #expect(try await answer.bytes == client.get(target).bytes)
        }
    }

    @Test("Unknown paths are answered with JSON, and unknown methods with 501")
    func unmatchedRequestsAreAnswered() async throws {
        let routes = AllotRoutes(try TestedRoutes().allot)
        func expectFailure(_ status: Int, _ part: String, _ method: String, _ path: String) async throws {
            let answer = await routes.answer(ServiceRequest(method: method, target: path))
            #expect(answer.status == status, "\(method) \(path)")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(try JSONValue(parsing: answer.body)["error"]?.text?.contains(part) == true)
        }
        func metrics() async -> String { String(decoding: await routes.answer("/metrics").body, as: UTF8.self) }
        func count() async -> Int {
            let series = #"allot_http_requests_total{method="other",route="none",status="501"} "#
            let line = await metrics().split(separator: "\n").first { $0.hasPrefix(series) }
            return line.flatMap { Int($0.dropFirst(series.count)) } ?? 0
        }
        let before = await count()
        for path in ["/nothing", "/activeconfig", "/secret/path", "/activeconfig/user/a/b"] {
            for method in ["GET", "HEAD"] { try await expectFailure(404, "/openapi.json", method, path) }
            try await expectFailure(501, "no such method", "BREW", path)
        }
        try await expectFailure(501, "no such method", "BREW", "/health/live")
        #expect(await count() == before + 5)
        #expect(await !metrics().contains("BREW"))
    }

    @Test("Routes below a path answer requests whose targets begin with it")
    func mountedRoutes() async throws {
        let routes = AllotRoutes(try TestedRoutes().allot)
        for (target, mount, status) in [
            ("/health/live", "", 200), ("//health//live/", "", 200), ("/ab/health/live", "/ab", 200),
            ("//ab//c/health/live?x=1", "/ab/c", 200), ("/health/live?\u{301}=1", "", 200),
            ("/health/live", "/ab", 404), ("/abhealth/live", "/ab", 404),
            ("/ab/health/live", "", 404), ("/abc/health/live", "/ab", 404), ("/ab", "/ab", 404),
        ] {
            let answer = await routes.answer(ServiceRequest(method: "GET", target: target), below: mount)
            #expect(answer.status == status, "\(target) below \(mount)")
        }
    }
}
