import Foundation
import TestSupport
import Testing

/// Clients that take connections, event streams and descriptors.
@Suite(.runsServer, .mayHang) struct HostileConnectionTests {
    private static let events = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let streams = "allot_event_streams"

    @Test(
        "An event stream whose client leaves ends at once",
        arguments: ["", events, String(repeating: events, count: 8000)])
    func leavingEndsStreams(more: String) throws {
        let server = try RunningServer(ServerFolder())
        var clients = try (0..<20).map { _ in try server.listen() }
        #expect(try server.metric(Self.streams) == 20)
        for client in clients {
            try client.send(more)
            client.finishSending()
        }
        try server.waitForMetric(Self.streams) { $0 == 0 }
        clients = try (0..<20).map { _ in try server.listen() }
        clients = []
        try server.waitForMetric(Self.streams) { $0 == 0 }
    }

    @Test("Event streams are limited, and leave connections to others")
    func streamsAreLimited() throws {
        let server = try RunningServer(ServerFolder(), "--max-connections", "10")
        var clients = try (0..<5).map { _ in try server.listen() }
        let refused = try server.get("/events")
        #expect(refused.status == 503)
        #expect(refused.header("retry-after") == "10")
        #expect(refused.body.contains("too many clients"))
        #expect(try server.get("/activeconfig/user/a").status == 200)
        clients.removeLast()
        try server.waitForMetric(Self.streams) { $0 == 4 }
        _ = try server.listen()
    }

    @Test("When all connections are in use, others are refused, and probes are answered", arguments: [false, true])
    func probesHaveAReserve(isEncrypted: Bool) throws {
        let folder = try ServerFolder()
        let files = try Certificate(in: folder, name: "server")
        let tls = isEncrypted ? ["--tls-certificate", files.certificate, "--tls-key", files.key] : []
        let server = try RunningServer(folder.arguments + ["--max-connections", "10"] + tls)
        func ask(_ path: String, _ fields: String = "") throws -> String {
            let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
            guard isEncrypted else { return try server.connect(sending: request).waitForEnd() }
            let arguments = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-quiet", "-ign_eof"]
            return try ServerProgram.run(URL(filePath: "/usr/bin/env"), arguments, input: request).text
        }
        // After the first answer connections count.
        #expect(try ask("/health/live", "Connection: close\r\n").hasPrefix("HTTP/1.1 200"))
        var idle = try (0..<10).map { _ in try server.connect() }
        let refused = try ask("/activeconfig/user/a")
        #expect(refused.hasPrefix("HTTP/1.1 503"))
        #expect(refused.contains("connection: close\r\n"))
        #expect(refused.contains(#"{"error":"all 10 connections are in use"#), "\(refused)")
        for path in ["/health/live", "/health/ready", "/metrics"] {
            let answer = try ask(path)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.contains("connection: close\r\n"))
        }
        #expect(try ask("/metrics").contains("allot_http_refused_total{reason=\"connections\"} 1\n"))
        // The reserve is limited too, and short.
        let probes = try (0..<32).map { _ in try server.connect() }
        #expect(try server.connect().waitForEnd() == "")
        #expect(try probes.allSatisfy { try $0.waitForEnd() == "" })
        // The first connection may have left after the last idle one came, which then was of the reserve.
        #expect(try ask("/health/live", "Connection: close\r\n").hasPrefix("HTTP/1.1 200"))
        idle = []
        while try !isEncrypted && server.get("/activeconfig/user/a").status != 200 {}
        #expect(idle.isEmpty)
    }

    @Test("A limit of open files that is lower than the connections is reported, and kept")
    func lowLimitsAreReported() throws {
        let folder = try ServerFolder()
        let shell = ["-c", #"ulimit -n 120; exec "$0" "$@""#, try ServerProgram.url.get().path, "--port", "0"]
        let server = try RunningServer(
            URL(filePath: "/bin/bash"), shell + folder.arguments + ["--max-connections", "300"])
        let warning = server.lines.first { $0.contains("limit of open files") } ?? ""
        #expect(warning.contains("room for 24 connections"))
        #expect(warning.contains("300 are allowed"))
        #expect(try server.get("/health/live").status == 200)
        let idle = try (0..<24).map { _ in try server.connect() }
        let response = try server.get("/activeconfig/user/a")
        #expect(response.status == 503)
        #expect(response.body.contains("all \(idle.count) connections"))
    }

    @Test("Without descriptors for connections the server pauses, says so, and recovers")
    func acceptingPauses() throws {
        let server = try RunningServer(ServerFolder())
        #expect(try server.get("/activeconfig/user/a").status == 200)
        let limit = try server.openDescriptors() + 3
        let arguments = ["prlimit", "--pid", "\(server.identifier)", "--nofile=\(limit):\(limit)"]
        #expect(try ServerProgram.run(URL(filePath: "/usr/bin/env"), arguments).status == 0)
        var idle = try (0..<20).map { _ in try server.connect() }
        try server.waitForLine("cannot be accepted")
        idle.removeAll()
        #expect(try server.get("/activeconfig/user/a").status == 200)
        #expect(try #require(try server.metric(#"allot_http_refused_total{reason="descriptors"}"#)) >= 1)
        #expect(server.lines.filter { $0.contains("cannot be accepted") }.count == 1)
    }

    private static let post = "POST /exposures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    /// Sends a byte whenever a while has passed without an answer; returns what came when the server had enough.
    private func trickle(_ connection: RawConnection, _ text: String) throws -> String {
        // The server may close between the look and the sending.
        for byte in text.utf8 where connection.isReadable(within: 50) || (try? connection.send([byte])) == nil {
            return try connection.waitForEnd()
        }
        throw RawConnection.Failure(description: "the server waited for all of it")
    }

    @Test("A client that sends too slowly, or nothing, is disconnected")
    func slowClientsAreLeft() throws {
        let server = try RunningServer(ServerFolder(), "--request-timeout", "1")
        let head = "GET /health/live HTTP/1.1\r\nX-Long: \(String(repeating: "x", count: 400))"
        #expect(try !trickle(server.connect(), head).contains("HTTP/1.1 200"))
        let connection = try server.connect(sending: Self.post + "Content-Length: 1000\r\n\r\n")
        #expect(try !trickle(connection, String(repeating: " ", count: 400)).contains("HTTP/1.1 200"))
        #expect(try server.connect().waitForEnd() == "")
        #expect(try server.get("/health/live").status == 200)
    }

    @Test("A client that disconnects does no harm")
    func clientsMayLeave() throws {
        let server = try RunningServer(ServerFolder())
        let parts = [
            "", "GET /heal", "GET /activeconfig/user/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
            Self.post + "Content-Length: 1000\r\n\r\n{\"exposures\"",
            Self.post + "Transfer-Encoding: chunked\r\n\r\n5\r\n[", Self.events,
            "GET /exposures HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        for _ in 0..<20 { for part in parts { _ = try server.connect(sending: part) } }
        #expect(try server.get("/health/live").status == 200)
        #expect(try server.get("/exposures").body.split(separator: "\n").count == 1)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
