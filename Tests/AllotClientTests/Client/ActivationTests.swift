import AllotConfiguration
import Testing

@testable import AllotClient

struct ActivationTests: ClientSuite {
    let time = TestTime()
    let store = MemoryStore()

    @Test("By default a fetched configuration is activated at the next start")
    func whatIsFetchedComesIntoForceAtTheNextStart() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "1"), Served.unchanged)
        let first = client(downloader, store: store, .atStart)
        #expect(try await first.refresh().isChanged)
        #expect(first.current.value("S", "a") == nil)
        let second = client(downloader, store: store, .atStart)
        #expect(second.current.value("S", "a") == 1)
        #expect(second.current.origin == .stored)
        #expect(try await second.refresh().outcome == .unchanged)
        #expect(second.current.origin == .remote)
    }

    @Test("A fetched configuration can be looked at before it is activated, without exposing anyone")
    func fetchedConfigurationsCanBeLookedAt() async throws {
        let log = ExposureLog()
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(
                Served.ok(["S": ["a": 1, "b": 1]], assignments: ["e": ["variant": "x", "settings": ["S.a"]]])),
            store: store, user: ConfigurationUser("u"), options: ClientOptions().under(time), recorder: log)
        var events = client.events.makeAsyncIterator()
        try await client.refresh()
        guard case .fetched(let fetched, let change)? = await events.next() else {
            Issue.record("no configuration was fetched")
            return
        }
        #expect(change.settings == ["S.a", "S.b"])
        #expect(change.experiments == ["e"])
        #expect(fetched.value("S", "a") == 1)
        #expect(log.exposed.isEmpty)
        let before = client.current
        client.activate()
        #expect(client.current.value("S", "a") == 1)
        #expect(log.exposed == ["e"])
        // A snapshot does not change.
        #expect(before.value("S", "a") == nil)
    }

    @Test("Activating returns whether anything changed")
    func activateTellsWhetherAnythingChanged() async throws {
        let downloader = ScriptedDownloader(
            Served.ok(["S": ["a": 1]]), Served.ok(["S": ["a": 1]], tag: "2", meta: ["creation_time": "later"]),
            Served.ok(["S": ["a": 1]], assignments: ["e": ["variant": "b"]]), Served.ok(["S": ["a": 2]], tag: "3"),
            Served.unchanged, Served.status(400))
        let client = client(downloader, store: store, .byCall)
        #expect(!client.activate())
        try await client.refresh()
        #expect(client.activate())
        #expect(client.current.document.meta["creation_time"] == nil)
        #expect(!client.activate())
        #expect(try await !client.refresh().isChanged)
        #expect(!client.activate())
        #expect(client.current.document.meta["creation_time"] == "later")
        // Another variant with the same values is a change.
        #expect(try await client.refresh().isChanged)
        #expect(client.activate())
        #expect(client.current.assignments["e"]?.variant == "b")
        #expect(try await client.fetchAndActivate())
        #expect(try await !client.fetchAndActivate())
        await #expect(throws: RefreshError.self) { try await client.fetchAndActivate() }
        #expect(client.current.value("S", "a") == 2)
    }

    @Test("With activation by call, a start restores the configuration that was active last")
    func aStartByCallRestoresTheActiveConfiguration() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]), Served.ok(["S": ["a": 2]]))
        let first = client(downloader, store: store, .byCall)
        #expect(try await first.fetchAndActivate())
        try await first.refresh()
        let second = client(downloader, store: store, .byCall)
        #expect(second.current.value("S", "a") == 1)
        #expect(second.activate())
        #expect(second.current.value("S", "a") == 2)
        #expect(client(downloader, store: store, .byCall).current.value("S", "a") == 2)
    }
}
