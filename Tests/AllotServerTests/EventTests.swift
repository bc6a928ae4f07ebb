import AllotFiles
import TestSupport
import Testing

/// `/events` of a server that runs.
@Suite(.runsServer) struct EventTests {
    private func events(_ server: RunningServer, _ query: String = "", _ headers: String = "") throws -> RawConnection {
        try server.connect(sending: "GET /events\(query) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    }

    @Test("A token in the query opens the event stream and nothing else")
    func tokensInTheQueryOpenEventsOnly() throws {
        let folder = try ServerFolder()
        let file = try folder.write(
            "configuration token-of-configurations-1\nmetrics token-of-metrics-00000004\n", to: "tokens")
        let server = try RunningServer(folder.arguments + ["--tokens", file])
        let query = "?access_token=token-of-configurations-1"
        #expect(try events(server, query).wait(for: "\n\n").contains("200 OK"))
        for wrong in [
            "", "?access_token=", "?access_token=token-of-others-000000002", "?token=token-of-configurations-1",
        ] {
            #expect(try events(server, wrong).response().status == 401)
        }
        #expect(try events(server, "?access_token=token-of-metrics-00000004").response().status == 403)
        // One token with the scope is enough.
        let both = try events(server, query, "X-API-Key: token-of-others-000000002\r\n")
        #expect(try both.wait(for: "\n\n").contains("200 OK"))
        for path in ["/activeconfig/user/a", "/active_config", "/metrics"] {
            #expect(try server.get(path + query).status == 401)
        }
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
        #expect(!server.lines.contains { $0.contains("token-of-configurations-1") })
    }
}
