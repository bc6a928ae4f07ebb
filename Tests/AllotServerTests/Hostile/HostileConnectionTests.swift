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
        var clients = try (0..<20).map { _ in try server.connect(sending: Self.events) }
        for client in clients { _ = try client.wait(for: "\n\n") }
        #expect(try server.metric(Self.streams) == 20)
        let start = ContinuousClock.now
        for client in clients {
            try client.send(more)
            client.finishSending()
        }
        try server.waitForMetric(Self.streams) { $0 == 0 }
        clients = try (0..<20).map { _ in try server.connect(sending: Self.events) }
        for client in clients { _ = try client.wait(for: "\n\n") }
        clients = []
        try server.waitForMetric(Self.streams) { $0 == 0 }
        // A heartbeat, which would notice it, comes after 15 seconds.
        #expect(ContinuousClock.now - start < .seconds(14))
    }

    @Test("Event streams are limited, and leave connections to others")
    func streamsAreLimited() throws {
        let server = try RunningServer(ServerFolder(), "--max-connections", "10")
        var clients = try (0..<5).map { _ in try server.connect(sending: Self.events) }
        for client in clients { _ = try client.wait(for: "\n\n") }
        let refused = try server.get("/events")
        #expect(refused.status == 503 && refused.header("retry-after") == "10")
        #expect(refused.body.contains("too many clients"))
        #expect(try server.get("/activeconfig/user/a").status == 200)
        clients.removeLast()
        try server.waitForMetric(Self.streams) { $0 == 4 }
        #expect(try server.connect(sending: Self.events).wait(for: "\n\n").hasPrefix("HTTP/1.1 200"))
    }

    @Test("When all connections are in use, others are told so, and probes are answered", arguments: [false, true])
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
        #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains("connection: close\r\n"))
        #expect(refused.contains(#"{"error":"all 10 connections are in use"#), "\(refused)")
        for path in ["/health/live", "/health/ready", "/metrics"] {
            let answer = try ask(path)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("connection: close\r\n"))
        }
        #expect(try ask("/metrics").contains("allot_http_refused_total{reason=\"connections\"} 1\n"))
        // The reserve is limited too, and short.
        let probes = try (0..<32).map { _ in try server.connect() }
        #expect(try server.connect().waitForEnd() == "")
        #expect(try probes.allSatisfy { try $0.waitForEnd() == "" })
        // The first connection may have left after the last idle one came, which then was of the reserve.
        #expect(try ask("/health/live", "Connection: close\r\n").hasPrefix("HTTP/1.1 200"))
        idle = []
        let end = ContinuousClock.now + .seconds(20)
        while try !isEncrypted && server.get("/activeconfig/user/a").status != 200, ContinuousClock.now < end {}
        #expect(ContinuousClock.now < end && idle.isEmpty)
    }

    @Test("A limit of open files that is lower than the connections is reported, and kept")
    func lowLimitsAreReported() throws {
        let folder = try ServerFolder()
        let shell = ["-c", #"ulimit -n 120; exec "$0" "$@""#, try ServerProgram.url.get().path, "--port", "0"]
        let server = try RunningServer(
            URL(filePath: "/bin/bash"), shell + folder.arguments + ["--max-connections", "300"])
        let warning = server.lines.first { $0.contains("limit of open files") } ?? ""
        #expect(warning.contains("room for 24 connections") && warning.contains("300 are allowed"))
        #expect(try server.get("/health/live").status == 200)
        let idle = try (0..<24).map { _ in try server.connect() }
        let response = try server.get("/activeconfig/user/a")
        #expect(response.status == 503 && response.body.contains("all \(idle.count) connections"))
    }

    @Test("Without descriptors for connections the server pauses, says so, and recovers")
    func acceptingPauses() throws {
        let server = try RunningServer(ServerFolder())
        #expect(try server.get("/activeconfig/user/a").status == 200)
        let limit = try server.openDescriptors() + 3
        let arguments = ["prlimit", "--pid", "\(server.identifier)", "--nofile=\(limit):\(limit)"]
        #expect(try ServerProgram.run(URL(filePath: "/usr/bin/env"), arguments).status == 0)
        let start = ContinuousClock.now
        var idle = try (0..<20).map { _ in try server.connect() }
        try server.waitForLine("cannot be accepted")
        // Long enough for thousands of attempts, if there were no pause.
        poll(nil, 0, 300)
        idle.removeAll()
        #expect(try server.get("/activeconfig/user/a").status == 200)
        let attempts = try #require(try server.metric(#"allot_http_refused_total{reason="descriptors"}"#))
        let time = (ContinuousClock.now - start) / .milliseconds(100)
        #expect(attempts >= 1 && attempts <= time + 2)
        #expect(server.lines.filter { $0.contains("cannot be accepted") }.count == 1)
    }
}
