import TestSupport
import Testing

/// Clients that announce bodies, or send them badly.
@Suite(.runsServer, .mayHang) struct HostileBodyTests {
    private static let post = "POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private static let batch = #"{"exposures":[]}"#

    @Test("Bodies that are announced and not sent take nothing from others")
    func announcedBodiesTakeNoRoom() throws {
        let server = try RunningServer(ServerFolder())
        var waiting: [RawConnection] = []
        for number in 0..<HostileScale.connections(66) {
            let length = number.isMultiple(of: 2) ? "Content-Length: 4194304" : "Transfer-Encoding: chunked"
            waiting.append(try server.connect(sending: Self.post + length + "\r\n\r\n"))
        }
        #expect(try server.post("/exposures", Self.batch).status == 200)
        #expect(try server.post("/activeconfig/user/a", #"{"attributes":{}}"#).status == 200)
        #expect(try server.post("/ofrep/v1/evaluate/flags", #"{"context":{"targetingKey":"a"}}"#).status == 200)
        #expect(waiting.allSatisfy { !$0.isReadable(within: 0) })
    }

    @Test("Many small batches in chunks at once are all stored")
    func smallBatchesAreStored() throws {
        let server = try RunningServer(ServerFolder())
        let clients = try (0..<HostileScale.connections(66)).map { _ in
            try server.connect(sending: Self.post + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"exposu\r\n")
        }
        for client in clients { try client.send("8\r\nres\":[]}\r\n0\r\n\r\n") }
        #expect(try clients.allSatisfy { try $0.response().status == 200 })
    }

    @Test("A body that does not get on is answered with 408 before the time limit")
    func stuckBodiesAreRefused() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "8")
        // What is sent at first does not make up for the rest.
        let connection = try server.connect(
            sending: Self.post + "Content-Length: 4194304\r\n\r\n" + String(repeating: " ", count: 1000))
        let response = try connection.response()
        #expect(response.status == 408)
        #expect(response.header("connection") == "close")
        #expect(response.body.contains("1024 bytes a second, and all of it within 8 seconds"))
        #expect(try connection.waitForEnd() == "")
        #expect(try server.metric(#"allot_http_refused_total{reason="body_time"}"#) == 1)
        let series = #"allot_http_requests_total{method="POST",route="/exposures",status="408"}"#
        try server.waitForMetric(series) { $0 == 1 }
    }

    @Test("A slow but honest client is served")
    func slowBodiesAreServed() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "8")
        let body = String(repeating: " ", count: 12_000) + Self.batch
        let connection = try server.connect(sending: Self.post + "Content-Length: \(body.utf8.count)\r\n\r\n")
        // Some 4 KiB a second, for longer than the time without a look at the rate.
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty, !connection.isReadable(within: 50) {
            try connection.send(Array(rest.prefix(200)))
            rest = rest.dropFirst(200)
        }
        #expect(try connection.response().status == 200)
    }

    @Test("A client that leaves in the middle of its body is not a fault of the server")
    func clientsThatLeave() throws {
        let server = try RunningServer(ServerFolder())
        for path in ["/exposures", "/activeconfig/user/a"] {
            let head = Self.post.replacing("/exposures", with: path)
            do {
                let client = try server.connect(sending: head + "Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n{")
                #expect(try client.response(hasBody: false).status == 100)
                client.breakOffAtEnd()
            }
            let route = path == "/exposures" ? path : "/activeconfig/user/{id}"
            let series = #"allot_http_requests_total{method="POST",route="\#(route)",status="#
            try server.waitForMetric(series + #""400"}"#) { $0 == 1 }
            #expect(try server.metric(series + #""500"}"#) == nil)
        }
        #expect(!server.lines.contains { $0.contains("cannot be answered") })
    }

    @Test("The answer to a body that is refused while it is sent arrives")
    func earlyAnswersArrive() throws {
        let server = try RunningServer(ServerFolder())
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 65_536)
        let connection = try server.connect(
            sending: Self.post.replacing("/exposures", with: "/activeconfig/user/a") + "Content-Length: 4194304\r\n\r\n"
        )
        for _ in 0..<64 where (try? connection.send(spaces)) == nil { break }
        let response = try connection.response()
        #expect(response.status == 413)
        #expect(response.header("connection") == "close")
        #expect(try connection.waitForEnd() == "")
    }

    @Test("A request that is answered before its body ends gets no second answer", arguments: [false, true])
    func earlyAnswersAreTheOnlyOnes(isChunked: Bool) throws {
        let folder = try ServerFolder()
        let tokens = try folder.write("metrics token-of-metrics-00000004\n", to: "tokens")
        let server = try RunningServer(folder.arguments + ["--tokens", tokens, "--request-timeout", "1"])
        let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000"
        let connection = try server.connect(sending: Self.post + length + "\r\n\r\n")
        let response = try connection.response()
        #expect(response.status == 401)
        #expect((response.header("connection") == "close") == isChunked)
        #expect(try connection.waitForEnd() == "")
    }
}
