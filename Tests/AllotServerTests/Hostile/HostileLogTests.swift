import AllotFiles
import TestSupport
import Testing

/// A reader of the log that stops reading.
@Suite(.runsServer, .mayHang) struct HostileLogTests {
    private func dropped(_ server: RunningServer) throws -> Double {
        try server.metric("allot_log_lines_dropped_total") ?? 0
    }

    /// Makes the server log hundreds of problems at a time, without a reader, until it drops some.
    private func fill(_ server: RunningServer) throws {
        let before = try dropped(server)
        let series = #"allot_definitions_reloads_total{result="failed"}"#
        for _ in 0..<100 where try dropped(server) == before {
            let loads = try server.metric(series)
            server.signal(SIGHUP)
            while try server.metric(series) == loads {}
        }
        #expect(try dropped(server) > before)
    }

    @Test("A log without a reader stops neither requests nor the end, and says later what it lacks")
    func unreadLogsStopNothing() throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let problems = (0..<500).map { "unknown-key-\($0): a value without a meaning\n" }.joined()
        try folder.replace("definitions/many.yaml", "status: running\nvariants: [{ key: on }]\n" + problems)
        try fill(server)
        for uri in ["/health/live", "/health/ready", "/activeconfig/user/a"] {
            #expect(try server.get(uri).status == 200, "\(uri)")
        }
        #expect(try server.post("/exposures", #"{"exposures":[]}"#).status == 200)
        // Once there is a reader, the count is there.
        let notice = try server.waitForLine("log lines were dropped")
        #expect(notice.contains(" warning allot-server "), "\(notice)")
        let count = notice.split(separator: " ").compactMap { Double($0) }.first
        #expect(count == (try dropped(server)))
        // Lines are whole: each begins with its time.
        #expect(server.lines.count > 1000)
        #expect(server.lines.allSatisfy { $0.hasPrefix("20") })
        // The end does not wait for a reader either.
        try fill(server)
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
