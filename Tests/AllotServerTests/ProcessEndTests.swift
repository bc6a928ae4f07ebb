import AllotFiles
import TestSupport
import Testing

@Suite(.runsServer) struct ProcessEndTests {
    @Test("Requests in progress are answered before the server ends", arguments: [SIGTERM, SIGINT])
    func requestsUnderWayAreAnswered(signal: Int32) throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let probe = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let idle = try server.connect(sending: probe)
        #expect(try idle.response().status == 200)
        let body = Event.batch([Event.text("under-way", at: "2026-11-20T11:00:00Z")])
        let request =
            "POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        // Both arrive at once: the answer to the first shows that the server has read the head of the second.
        let connection = try server.connect(sending: probe + request.dropLast(20))
        #expect(try connection.response().status == 200)
        server.signal(signal)
        // The idle connection is closed: the shutdown has begun.
        #expect(try idle.waitForEnd() == "")
        try connection.send(String(request.suffix(20)))
        #expect(try connection.response().status == 200)
        #expect(try server.waitForEnd() == 0)
        let rows = try RunningServer(folder.arguments).get("/exposures").body.split(separator: "\n").dropFirst()
        #expect(rows.map { $0.prefix { $0 != "," } } == ["under-way"])
    }

    @Test("A server that is killed has stored what it acknowledged, and its successor knows it again")
    func killedServerKeepsWhatItAcknowledged() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let batch = Event.batch([Event.text("a"), Event.text("b")])
        #expect(try server.post("/exposures", batch).body == #"{"duplicates":0,"errors":[],"stored":2}"#)
        server.signal(SIGKILL)
        #expect(try server.waitForEnd() == 128 + SIGKILL)
        let next = try RunningServer(folder.arguments)
        #expect(try next.post("/exposures", batch).body == #"{"duplicates":2,"errors":[],"stored":0}"#)
    }
}
