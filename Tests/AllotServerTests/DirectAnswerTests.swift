import TestSupport
import Testing

/// Requests that are answered on the event loop, and those among them that are not.
@Suite(.runsServer) struct DirectAnswerTests {
    private static let token = "token-of-configurations-1"

    /// A request, which the server answers alike whichever way and connection it comes.
    private struct RawRequest {
        /// The method and the target.
        let line: String
        var headers: [String] = []
        var body = ""

        var hasAnswerBody: Bool { !line.hasPrefix("HEAD ") }

        func text(_ more: String...) -> String {
            (["\(line) HTTP/1.1", "Host: localhost"] + headers + more).map { $0 + "\r\n" }.joined() + "\r\n"
                + body
        }
    }

    /// A server with tokens and an allowed origin.
    private func server(_ folder: ServerFolder, _ more: String...) throws -> RunningServer {
        let tokens = try folder.write("configuration \(Self.token)\nexplain token-of-explanations-03\n", to: "tokens")
        return try RunningServer(
            folder.arguments + ["--tokens", tokens, "--cors-origin", "https://shop.example"] + more)
    }

    private func randomRequest(_ tags: [String], _ generator: inout SeededGenerator) -> RawRequest {
        let user = Int.random(in: 0..<5, using: &generator)
        let target = "/activeconfig/user/\(user)?country=DE"
        let lines: [String] = [
            "GET \(target)", "GET \(target)", "GET \(target)", "HEAD \(target)", "GET /activeconfig/user",
            "GET /active_config?userID=\(user)", "HEAD /active_config",
            // Answered by the router, or refused.
            "GET /health/live", "GET /nowhere", "DELETE \(target)", "OPTIONS \(target)",
            "GET //activeconfig//user/\(user)/", "GET /activeconfig/user/%zz", "GET /activeconfig/user/a?user_id=1",
            "GET /activeconfig/user/a%2Fb?a=1&a=2", "GET /activeconfig/user/" + String(repeating: "x", count: 1025),
            "GET /activeconfig/user/a?x=" + String(repeating: "x", count: 3000),
        ]
        let bodies = [
            RawRequest(
                line: "POST /activeconfig/user/\(user)",
                headers: ["Content-Type: application/json", "Content-Length: 2"], body: "{}"),
            RawRequest(line: "GET \(target)", headers: ["Content-Length: 3"], body: "abc"),
            RawRequest(
                line: "GET \(target)", headers: ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n0\r\n\r\n"),
        ]
        var request = generator.pick(lines.map { RawRequest(line: $0) } + bodies)
        let tag = generator.pick(tags)
        let choices = [
            ["Accept-Encoding: gzip", "If-None-Match: \(tag)", "Origin: https://shop.example"],
            ["Accept-Encoding: identity", "If-None-Match: \"other\", W/\(tag)", "Origin: https://other.example"],
        ]
        request.headers += generator.pick(choices).filter { _ in Bool.random(using: &generator) }
        request.headers += generator.pick([
            ["Authorization: Bearer \(Self.token)"], ["X-API-Key: \(Self.token)"],
            ["Authorization: Bearer \(Self.token)"], ["Authorization: Bearer token-of-explanations-03"], [],
        ])
        return request
    }

    /// The answer without what differs between two moments or two connections.
    private func essence(_ response: RawResponse) -> [String] {
        let lines = response.head.split(separator: "\r\n").map(String.init)
        let fields = lines.dropFirst().filter {
            !$0.lowercased().hasPrefix("date:") && !$0.lowercased().hasPrefix("connection:")
        }
        return [lines.first ?? "", response.body] + fields.sorted()
    }

    /// `Connection: close` makes the router answer: both ways give the same answers.
    @Test("Requests on one connection are answered in order, as on a connection each", arguments: 0..<6)
    func pipelinedRequestsAreAnsweredInOrder(seed: Int) throws {
        let folder = try ServerFolder()
        let server = try server(folder)
        var generator = SeededGenerator(seed: seed)
        let tags = try (0..<5).compactMap { user in
            try server.get(
                "/activeconfig/user/\(user)?country=DE",
                ["Authorization: Bearer \(Self.token)"] + (user % 2 == 0 ? ["Accept-Encoding: gzip"] : [])
            ).header("etag")
        }
        #expect(tags.count == 5)
        let requests = (0..<60).map { _ in randomRequest(tags, &generator) }
        let alone = try requests.map { request in
            let connection = try server.connect(sending: request.text("Connection: close"))
            return essence(try connection.response(hasBody: request.hasAnswerBody))
        }
        #expect(Set(alone.map { $0[0].prefix(12) }).count > 4)
        // All at once, in pieces, and one after another.
        for pieces in [1, 7, requests.count] {
            let connection = try server.connect()
            for start in stride(from: 0, to: requests.count, by: (requests.count + pieces - 1) / pieces) {
                let part = requests[start...].prefix((requests.count + pieces - 1) / pieces)
                try connection.send(part.map { $0.text() }.joined())
                for (index, request) in zip(part.indices, part) {
                    let response = try connection.response(hasBody: request.hasAnswerBody)
                    #expect(essence(response) == alone[index], "\(request.text())")
                }
            }
        }
    }

    @Test("Requests are counted alike whichever way they are answered")
    func bothWaysAreCounted() throws {
        let server = try RunningServer(ServerFolder())
        let target = "/activeconfig/user/a"
        let request = RawRequest(line: "GET " + target)
        let tag = try #require(try server.get(target).header("etag"))
        let known = "If-None-Match: \(tag)"
        let connection = try server.connect()
        for _ in 0..<3 {
            try connection.send(request.text() + request.text(known))
            for _ in 0..<2 { _ = try connection.response() }
        }
        for extra in [[], [known]] {
            for _ in 0..<4 {
                let last = RawRequest(line: request.line, headers: extra).text("Connection: close")
                _ = try server.connect(sending: last).waitForEnd()
            }
        }
        let counts = try server.get("/metrics").body.split(separator: "\n").filter {
            $0.hasPrefix("allot_http_requests_total") && $0.contains("activeconfig")
        }
        #expect(counts.count { $0.hasSuffix(" 8") } == 1, "\(counts)")
        #expect(counts.count { $0.hasSuffix(" 7") } == 1, "\(counts)")
    }

    @Test("A connection that gets direct answers only is closed when it is idle")
    func idleConnectionsAreClosed() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "2")
        let connection = try server.connect(sending: RawRequest(line: "GET /activeconfig/user/a").text())
        #expect(try connection.response().status == 200)
        #expect(try connection.waitForEnd() == "")
    }
}
