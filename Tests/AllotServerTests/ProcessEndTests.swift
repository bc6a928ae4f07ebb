import AllotConfiguration
import AllotFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.runsServer) struct ProcessEndTests {
    private static func batch(_ units: [String]) -> String {
        Event.batch(units.map { Event.text($0, at: "2026-11-20T11:00:00Z") })
    }

    private static func post(_ body: String) -> String {
        "POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The units that a server has stored.
    private func units(_ server: RunningServer) throws -> [Substring] {
        try server.get("/exposures").body.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
    }

    @Test("Requests in progress are answered before the server ends", arguments: [SIGTERM, SIGINT])
    func requestsUnderWayAreAnswered(signal: Int32) throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let idle = try server.connect(sending: "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try idle.response().status == 200)
        let request = Self.post(Self.batch(["under-way"]))
        let connection = try server.connect()
        // Both arrive at once: the answer to the first shows that the server has read the head of the second.
        try connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n" + request.dropLast(20))
        #expect(try connection.response().status == 200)
        server.signal(signal)
        // The idle connection is closed: the shutdown has begun.
        #expect(try idle.waitForEnd() == "")
        try connection.send(String(request.suffix(20)))
        #expect(try connection.response().status == 200)
        #expect(try server.waitForEnd() == 0)
        let next = try RunningServer(folder.arguments)
        #expect(try units(next) == ["under-way"])
    }

    /// Some senders, killed while they wait for answers: what was acknowledged is there, and nothing twice.
    @Test("A killed server keeps what it acknowledged")
    func killedServerKeepsWhatItAcknowledged() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let port = server.port
        let process = server.identifier
        let acknowledged = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { sender in
            guard let connection = try? RawConnection(port: port) else { return }
            for number in 0..<10_000 {
                let units = (0..<5).map { "\(sender)-\(number)-\($0)" }
                guard (try? connection.send(Self.post(Self.batch(units)))) != nil,
                    let response = try? connection.response(), response.status == 200
                else { return }
                acknowledged.withLock { $0 += units }
                if sender == 0, number == 40 { kill(process, SIGKILL) }
            }
        }
        #expect(try server.waitForEnd() == 128 + SIGKILL)
        let sent = acknowledged.withLock { $0 }
        #expect(sent.count >= 200)
        let next = try RunningServer(folder.arguments)
        let stored = try units(next)
        #expect(Set(stored).count == stored.count)
        #expect(Set(sent.map { $0[...] }).subtracting(stored) == [])
        // What was sent but not acknowledged is there whole or not at all: a batch is one transaction.
        #expect(stored.count % 5 == 0)
        // Senders without an answer send again: what is there already is counted as such.
        let again = try next.post("/exposures", Self.batch(Array(sent.prefix(5))))
        #expect(again.body == #"{"duplicates":5,"errors":[],"stored":0}"#)
    }
}
