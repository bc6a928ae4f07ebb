import AllotClient
import AllotConfiguration
import Testing

struct StoreFaultTests {
    let time = TestTime()
    let store = FaultyStore()

    private func client(_ downloader: ScriptedDownloader, _ activation: ClientOptions.Activation = .whenFetched)
        -> ConfigurationClient
    {
        ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser("u"),
            options: ClientOptions(activation: activation, minimumInterval: .zero).under(time))
    }

    @Test("A full disk loses nothing and is reported", arguments: [ClientOptions.Activation.whenFetched, .atStart])
    func aFullDiskLosesNothingAndIsReported(_ activation: ClientOptions.Activation) async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]), Served.ok(["S": ["a": 2]]))
        try await client(downloader).refresh()
        let client = client(downloader, activation)
        store.failWriting()
        let result = try await client.refresh()
        #expect(result.isChanged)
        #expect(result.storeError?.kind == .unwritable)
        client.activate()
        #expect(client.current.value("S", "a") == 2)
        store.failWriting(false)
        #expect(self.client(downloader).current.value("S", "a") == 1)
    }

    @Test("A damaged record is not used and is reported")
    func everyDamageCountsAsAbsentAndIsReported() async throws {
        try await client(ScriptedDownloader(Served.ok(["S": ["a": "text"]], tag: "1"))).refresh()
        let whole = try #require(store.memory.read(StoreRecord(.active, user: "u")))
        var damages: [@Sendable ([UInt8]) -> [UInt8]] = []
        for position in whole.indices {
            damages.append { Array($0.prefix(position)) }
            damages.append { bytes in
                var bytes = bytes
                bytes[position] ^= 1
                return bytes
            }
        }
        for damage in damages {
            store.damage { record, bytes in record.kind == .active ? damage(bytes) : bytes }
            let downloader = ScriptedDownloader(Served.ok(["S": ["a": "new"]]))
            let client = client(downloader)
            guard client.current.origin == .none else {
                // A flipped bit in the header's tag or time does no harm to the values.
                #expect(client.current.value("S", "a") == "text")
                continue
            }
            guard case .storeFailed(let error)? = client.startProblems.first else {
                Issue.record("not reported: \(client.startProblems)")
                continue
            }
            #expect(error.kind == .corrupt)
        }
    }

    @Test("A record of another user is not used")
    func aRecordOfAnotherUserIsNotUsed() async throws {
        try await client(ScriptedDownloader(Served.ok(["S": ["a": 1]]))).refresh()
        let record = try #require(store.memory.read(StoreRecord(.active, user: "u")))
        store.memory.write(record, StoreRecord(.active, user: "v"))
        let client = client(ScriptedDownloader(Served.unreachable))
        client.setUser(ConfigurationUser("v"))
        #expect(client.current.origin == .none)
    }

    @Test("The client starts with an unreadable store")
    func theClientStartsWithAnUnreadableStore() async throws {
        store.failReading()
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])))
        #expect(!client.startProblems.isEmpty)
        try await client.refresh()
        #expect(client.current.value("S", "a") == 1)
    }

    @Test("Two clients can share a store")
    func twoClientsOnOneStore() async throws {
        let first = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])), .atStart)
        let second = client(ScriptedDownloader(Served.ok(["S": ["a": 2]])), .atStart)
        try await first.refresh()
        try await second.refresh()
        #expect(first.activate())
        #expect(first.current.value("S", "a") == 1)
        #expect(second.activate())
        #expect(second.current.value("S", "a") == 2)
        #expect(client(ScriptedDownloader(Served.unreachable), .atStart).current.value("S", "a") == 2)
    }
}
