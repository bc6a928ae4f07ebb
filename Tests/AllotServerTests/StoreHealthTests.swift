import AllotConfiguration
import AllotDefinitions
import AllotExposures
import AllotFiles
import Foundation
import TestSupport
import Testing

/// Servers whose store of exposures is ill: configurations are served all the same, and the server says what is wrong.
@Suite(.runsServer, .mayHang) struct StoreHealthTests {
    private func server(_ folder: ServerFolder, _ store: String, _ arguments: [String] = []) throws -> RunningServer {
        try RunningServer(["--definitions", folder.definitions, "--exposures", store] + arguments)
    }

    private func ready(_ server: RunningServer) throws -> (status: Int, exposures: JSONValue?) {
        let answer = try server.get("/health/ready")
        return (answer.status, try JSONValue(parsing: Array(answer.body.utf8))["exposures"])
    }

    /// Expects that configurations are served, and exposures are not.
    private func expectIll(
        _ server: RunningServer, _ part: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try server.get("/activeconfig/user/a").status == 200, sourceLocation: location)
        let answer = try server.post("/exposures", Event.batch([Event.text("a", at: "\(Instant.now)")]))
        #expect(answer.status == 503, sourceLocation: location)
        #expect(answer.header("retry-after") == "10", sourceLocation: location)
        #expect(answer.body.contains("send them again later"), sourceLocation: location)
        let (status, exposures) = try ready(server)
        #expect(status == 503, sourceLocation: location)
        #expect(exposures?["state"] == "failing", sourceLocation: location)
        let message = try #require(exposures?["error"]?.text, sourceLocation: location)
        #expect(message.contains(part), sourceLocation: location)
        #expect(exposures?["failing_since"] != nil, sourceLocation: location)
        let metrics = try server.get("/metrics").body.split(separator: "\n")
        #expect(metrics.contains(#"allot_exposures_total{outcome="failed"} 1"#), sourceLocation: location)
        #expect(metrics.contains("allot_exposure_store_healthy 0"), sourceLocation: location)
    }

    @Test("A store that cannot be opened does not keep the server from starting, and is opened later")
    func storesAreOpenedLater() throws {
        let folder = try ServerFolder()
        let missing = folder.path("none/exposures.sqlite")
        let server = try server(folder, missing)
        try expectIll(server, missing)
        #expect(server.lines.contains { $0.contains("cannot open the exposure store \(missing)") })
        try FileManager.default.createDirectory(atPath: folder.path("none"), withIntermediateDirectories: false)
        try server.waitForLine("exposures are stored again")
        #expect(try ready(server).status == 200)
        let answer = try server.post("/exposures", Event.batch([Event.text("a", at: "\(Instant.now)")]))
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""stored":1"#))
        #expect(try server.metric("allot_exposure_store_healthy") == 1)
    }

    /// The clock has jumped ahead, as far as the server can tell: the exposures were received long before now.
    @Test("A start deletes no exposures, and announces those that are too old by the newest one")
    func oldExposuresAreAnnounced() async throws {
        let folder = try ServerFolder()
        let path = folder.path("exposures.sqlite")
        let store = try ExposureStore(path)
        let day: Int64 = 86_400_000
        let received = Instant.now.milliseconds - 400 * day
        _ = try await store.record(
            ([1, 3, 20] as [Int64]).map { days in
                Exposure(
                    unit: "\(days) days", experiment: "button", salt: "button", variant: "green",
                    at: received - days * day, receivedAt: received)
            })
        await store.shutdown()
        let server = try server(folder, path, ["--exposure-retention", "2d"])
        // It may have been logged before the server listened.
        let line = try server.lines.first { $0.contains("too old") } ?? server.waitForLine("too old")
        #expect(line.contains("count=2"), "\(line)")
        #expect(line.contains("of=3"), "\(line)")
        #expect(try server.get("/exposures").body.split(separator: "\n").count == 4)
    }

    /// Opening the file waits for a writer, for ever.
    @Test("A store that never opens delays neither the start nor the end, and no configuration")
    func storesMayNeverOpen() throws {
        let folder = try ServerFolder()
        let path = folder.path("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        let server = try server(folder, path)
        try expectIll(server, "still being opened")
        server.signal(SIGTERM)
        #expect(try server.waitForEnd() == 0)
    }
}
