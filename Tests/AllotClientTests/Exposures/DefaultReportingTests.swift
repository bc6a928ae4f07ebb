import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

/// Exposures are reported by default, and a client that does not report them says so.
@Suite(.mayHang) struct DefaultReportingTests {
    private static let assignments: JSONObject = [
        "e": ["variant": "b", "settings": ["S.a"]], "f": ["variant": "c", "settings": ["S.b"]],
        "g": ["variant": "d", "settings": ["S.c"], "unit": "none"],
    ]
    private static let settings: JSONObject = ["a": 1, "b": 2, "c": 3, "d": 4]

    /// A server that sends a configuration with experiments, and takes exposures.
    private static func server() throws -> StubServer {
        let body = Served.body(["S": .object(settings)], assignments: assignments)
        return try StubServer { request in
            request.target.hasPrefix("/exposures")
                ? [.success(#"{"stored":1,"duplicates":0,"errors":[]}"#)] : [.answer("200 OK", [], body: body)]
        }
    }

    @Test(
        "A client of a server reports exposures with the token that it fetches with, also one whose store is decorated",
        arguments: [false, true])
    func clientsOfServersReport(isDecorated: Bool) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let files = FileStore(folder: URL(filePath: folder.path("store")))
        let store: any ConfigurationStore = isDecorated ? Decorator(other: files) : files
        let client = ConfigurationClient(
            server: try server.url(), store: store, token: "secret", user: ConfigurationUser("u"),
            options: .development)
        try await client.refresh()
        #expect(client.current.value("S", "a") == 1)
        let reporter = try #require(client.exposures)
        #expect(reporter.waitingCount == 1)
        // Where they wait, they survive the app.
        let waiting = try FileManager.default.contentsOfDirectory(atPath: folder.path("store/exposures"))
        #expect(waiting.contains { $0.hasSuffix(".journal") })
        await reporter.flush()
        #expect(reporter.waitingCount == 0)
        #expect(server.requests.map(\.target) == ["/activeconfig/user/u", "/exposures"])
        #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer secret" })
        await reporter.shutdown()
    }

    /// A store that decorates another one.
    private struct Decorator: ConfigurationStore {
        let other: any ConfigurationStore

        var exposureFolder: URL? { other.exposureFolder }

        func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]? { try other.read(record) }
        func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError) { try other.write(bytes, record) }
        func remove(_ record: StoreRecord) throws(StoreError) { try other.remove(record) }
    }

    @Test("A store without a folder keeps exposures in memory, and none are recorded on request")
    func otherStores() async throws {
        let server = try Self.server()
        let client = ConfigurationClient(server: try server.url(), store: MemoryStore(), options: .development)
        #expect(client.exposures != nil)
        #expect(MemoryStore().exposureFolder == nil)
        #expect(FileStore(folder: URL(string: "https://example.org") ?? URL(filePath: "/")).exposureFolder == nil)
        // Nothing is wrong in these, so no event says so.
        let reporting = try await self.client(ExposureReporter.make(nil, FakeExposureServer()))
        let reported = reporting.events
        _ = reporting.current.value("S", "a")
        #expect(await unreported(reported, reporting).isEmpty)
        #expect(reporting.exposures?.waitingCount == 1)
        let silent = ConfigurationClient(
            server: try server.url(), store: MemoryStore(), options: .development, exposures: nil)
        try await silent.refresh()
        let events = silent.events
        _ = silent.current.value("S", "a")
        silent.current.expose("f")
        #expect(await unreported(events, silent).isEmpty)
        #expect(silent.exposures == nil)
        #expect(server.requests.map(\.target) == ["/activeconfig/user"])
    }

    /// The experiments of the events that say that exposures are not reported, until a mark arrives.
    private func unreported(
        _ events: AsyncStream<ConfigurationEvent>, _ client: ConfigurationClient
    ) async -> [String] {
        client.note { $0.events.append(.bootstrapFailed("the mark")) }
        var experiments: [String] = []
        for await event in events {
            if case .unreportedExposures(let experiment) = event { experiments.append(experiment) }
            if case .bootstrapFailed = event { break }
        }
        return experiments
    }

    private func client(_ reporter: ExposureReporter? = nil) async throws -> ConfigurationClient {
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(
                Served.ok(["S": .object(Self.settings)], assignments: Self.assignments)),
            store: MemoryStore(), user: ConfigurationUser("u"), options: .development, exposures: reporter)
        try await client.refresh()
        return client
    }

    @Test("A client without a reporter says once that exposures are not reported")
    func missingReportersAreReported() async throws {
        let client = try await client()
        let events = client.events
        // No experiment compares it, and one that randomises nothing exposes no unit.
        _ = (client.current.value("S", "d"), client.current.value("S", "c"))
        #expect(await unreported(events, client).isEmpty)
        let later = client.events
        _ = (client.current.value("S", "a"), client.current.value("S", "b"))
        client.setUser(ConfigurationUser("v"))
        try await client.refresh()
        _ = client.current.value("S", "b")
        client.current.expose("e")
        #expect(await unreported(later, client) == ["e"])
        #expect(client.exposures == nil)
    }

    @Test("An exposure before the first subscriber is reported to that one")
    func earlyExposures() async throws {
        let client = try await client()
        _ = (client.current.value("S", "b"), client.current.value("S", "a"))
        let (first, second) = (client.events, client.events)
        #expect(await unreported(first, client) == ["f"])
        #expect(await unreported(second, client).isEmpty)
    }
}
