import AllotConfiguration
import AllotFiles
import Foundation
import TestSupport
import Testing

/// Servers that end by a signal.
@Suite(.runsServer, .mayHang) struct HostileEndTests {
    @Test("After SIGTERM the server is not ready, and serves everything until the time is over or a second SIGTERM")
    func drainingServesEverything() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments + ["--drain", "600s"])
        let listener = try server.listen()
        #expect(try server.get("/health/ready").status == 200)
        server.signal(SIGTERM)
        try server.waitForLine("SIGTERM: draining")
        let ready = try server.get("/health/ready")
        #expect(ready.status == 503)
        #expect(ready.body == #"{"status":"draining"}"#)
        #expect(try server.get("/health/live").status == 200)
        #expect(try server.get("/activeconfig/user/a").status == 200)
        let batch = Event.batch([Event.text("late", at: "\(Instant.now)")])
        #expect(try server.post("/exposures", batch).body.contains(#""stored":1"#))
        // The next request of this client goes to another server, or at least not into the end of this one.
        let client = try server.connect(sending: "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.response().header("connection") == "close")
        #expect(try client.waitForEnd() == "")
        // Definitions are still watched, and subscribers learn of changes.
        try folder.replace("definitions/button.yaml", Fixture.changedButton)
        server.signal(SIGHUP)
        _ = try listener.wait(for: "event: message")
        server.signal(SIGTERM)
        #expect(try listener.waitForEnd().hasSuffix("0\r\n\r\n"))
        #expect(try server.waitForEnd() == 0)
        let next = try RunningServer(folder.arguments)
        #expect(try next.get("/exposures").body.contains("late"))
    }

    @Test(
        "The time of draining ends by itself, and SIGINT does without it",
        arguments: [("1s", [SIGTERM]), ("600s", [SIGINT]), ("600s", [SIGTERM, SIGINT])] as [(String, [Int32])])
    func drainingEnds(time: String, signals: [Int32]) throws {
        let server = try RunningServer(ServerFolder(), "--drain", time)
        for signal in signals {
            server.signal(signal)
            if signals.count > 1, signal == SIGTERM { try server.waitForLine("SIGTERM: draining") }
        }
        #expect(try server.waitForEnd() == 0)
    }

    @Test("Connections that come just when the server ends neither hold it up nor make it crash")
    func lateConnections() throws {
        let server = try RunningServer(ServerFolder())
        let clients = try (0..<HostileScale.rounds(20)).map { _ in try server.connect() }
        server.signal(SIGINT)
        #expect(try server.waitForEnd() == 0)
        #expect(clients.count >= 20)
    }

    @Test(
        "Clients that read nothing, or do not send the rest, hold up the end no longer than documented",
        .enabled(if: HostileScale.isLarge, "it takes 16 seconds; set ALLOT_HOSTILE"))
    func stuckClientsEnd() throws {
        let folder = try ServerFolder()
        try folder.lengthen(to: 100_000)
        let server = try RunningServer(secure: folder, ["--request-timeout", "3600", "--drain", "0s"])
        let get = "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n"
        let texts = [
            String(repeating: get + "\r\n", count: 100), get + "Connection: close\r\n\r\n", get,
            "POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
            "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        let clients = try texts.map { text in
            let client = try SecureConnection(port: server.port, window: 4096, negotiating: "http/1.1")
            try client.send(Array(text.utf8))
            return client
        }
        let streams = try HTTP2Client(server, settings: [(4, 0)])
        try streams.send((0..<50).map { .get("/activeconfig/user/\($0)", 2 * $0 + 1) })
        try streams.send(.head("POST", "/exposures", 201, ends: false))
        try streams.wait { $0.answers[1]?.status != nil }
        server.signal(SIGTERM)
        // The timeout of requests is an hour.
        #expect(try server.waitForEnd() == 0)
        // They stay until here.
        #expect(clients.count == texts.count)
        #expect(!streams.isEnded)
    }

    @Test("Answers that wait for a slow client when the server ends arrive whole")
    func waitingAnswersArrive() throws {
        let folder = try ServerFolder()
        try folder.lengthen(to: 120_000)
        let server = try RunningServer(folder)
        let idle = try server.connect()
        let client = try server.connect(window: 4096)
        let request = "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try client.send(String(repeating: request, count: 5))
        #expect(client.isReadable(within: RunningServer.patience))
        server.signal(SIGINT)
        // The idle connection is closed: the shutdown has begun.
        #expect(try idle.waitForEnd() == "")
        let first = try client.response()
        let others = try client.waitForEnd()
        #expect(first.body.utf8.count > 120_000)
        #expect((others.isEmpty || others.hasSuffix(first.body)))
        #expect(try server.waitForEnd() == 0)
    }

    @Test(
        "Over HTTP/2 too, of which the last frames are written long before", .enabled(if: HostileScale.isLarge))
    func waitingStreamsArrive() throws {
        let folder = try ServerFolder()
        try folder.lengthen(to: 120_000)
        let server = try RunningServer(secure: folder)
        let idle = try server.connect()
        let client = try HTTP2Client(server, settings: [(4, 1_000_000)], opensWindows: false, window: 4096)
        try client.send(.windowUpdate(0, 1_000_000))
        let streams = [1, 3, 5]
        for stream in streams { try client.send(.get("/activeconfig/user/a", stream)) }
        try client.wait { !$0.answers.isEmpty }
        server.signal(SIGINT)
        #expect(try idle.waitForEnd() == "")
        // Longer than a connection without streams, and the end of TLS, may take.
        poll(nil, 0, 3000)
        for stream in streams {
            let answer = try client.answer(stream)
            #expect(answer.isComplete, "\(stream): \(answer.body.count)")
            #expect(answer.body.count > 120_000, "\(stream): \(answer.body.count)")
        }
        #expect(try server.waitForEnd() == 0)
    }
}
