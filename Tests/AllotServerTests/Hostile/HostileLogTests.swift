import SystemLibrary
import TestSupport
import Testing

/// A reader of the log that stops reading.
@Suite(.runsServer, .mayHang) struct HostileLogTests {
    private func metric(_ name: String, _ server: RunningServer) throws -> Int {
        let lines = try server.get("/metrics").body.split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name + " ") }
        return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }

    private func dropped(_ server: RunningServer) throws -> Int {
        try metric("allot_log_lines_dropped_total", server)
    }

    /// Makes the server log hundreds of problems at a time, which nobody reads, until it drops some.
    private func fill(_ server: RunningServer) throws {
        let before = try dropped(server)
        for _ in 0..<100 where try dropped(server) == before {
            let loads = try metric(#"allot_definitions_reloads_total{result="failed"}"#, server)
            server.signal(SIGHUP)
            while try metric(#"allot_definitions_reloads_total{result="failed"}"#, server) == loads {}
        }
        #expect(try dropped(server) > before)
    }

    @Test("A log that nobody reads stops neither requests nor the end, and says later what it lacks")
    func unreadLogsStopNothing() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let problems = (0..<500).map { "unknown-key-\($0): a value that nobody expects\n" }.joined()
        try folder.replace("definitions/many.yaml", "status: running\nvariants: [{ key: on }]\n" + problems)
        try fill(server)
        for uri in ["/health/live", "/health/ready", "/activeconfig/user/a"] {
            #expect(try server.get(uri).status == 200, "\(uri)")
        }
        #expect(try server.post("/exposures", #"{"exposures":[]}"#).status == 200)
        // Once somebody reads, the count is there.
        let notice = try server.waitForLine("log lines were dropped")
        #expect(notice.contains(" warning allot-server "), "\(notice)")
        let count = notice.split(separator: " ").compactMap { Int($0) }.first
        #expect(count == (try dropped(server)))
        // Lines are whole: each begins with its time.
        #expect(server.lines.count > 1000 && server.lines.allSatisfy { $0.hasPrefix("20") })
        // The end does not wait for a reader either.
        try fill(server)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
