import AllotClient
import AllotConfiguration
import Testing

struct StoreFaultTests: ClientSuite {
    let time = TestTime()
    let store = FaultyStore()

    private func client(_ answer: @escaping ScriptedDownloader.Answer = Served.unreachable) -> ConfigurationClient {
        client(ScriptedDownloader(answer), store: store)
    }

    @Test("A full disk loses nothing and is reported", arguments: [ClientOptions.Activation.whenFetched, .atStart])
    func aFullDiskLosesNothingAndIsReported(_ activation: ClientOptions.Activation) async throws {
        try await client(Served.ok(["S": ["a": 1]])).refresh()
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 2]])), store: store, activation)
        store.failWriting()
        let result = try await client.refresh()
        #expect(result.isChanged)
        #expect(result.storeError?.kind == .unwritable)
        client.activate()
        #expect(client.current.value("S", "a") == 2)
        store.failWriting(false)
        #expect(self.client().current.value("S", "a") == 1)
    }

    @Test("A damaged record is not used and is reported", arguments: [true, false])
    func everyDamageCountsAsAbsentAndIsReported(isOfOverrides: Bool) async throws {
        let first = client(Served.ok(["S": ["a": "text"]], tag: "1"))
        try await first.refresh()
        first.override("S", "b", with: 7)
        let damaged = isOfOverrides ? StoreRecord(.overrides, user: nil) : StoreRecord(.active, user: "u")
        let expected: (fetched: JSONValue?, overridden: JSONValue?) = isOfOverrides ? ("text", nil) : (nil, 7)
        for position in try #require(store.memory.read(damaged)).indices {
            for isCut in [true, false] {
                store.damage { record, bytes in
                    guard record == damaged else { return bytes }
                    var changed = isCut ? Array(bytes.prefix(position)) : bytes
                    if !isCut { changed[position] ^= 1 }
                    return changed
                }
                let client = client()
                #expect(client.current.value("S", "a") == expected.fetched, "\(position)")
                #expect(client.current.value("S", "b") == expected.overridden, "\(position)")
                guard client.startProblems.count == 1, case .storeFailed(let error) = client.startProblems[0] else {
                    Issue.record("not reported: \(client.startProblems)")
                    continue
                }
                #expect(error.kind == .corrupt)
            }
        }
    }

    @Test("A record of another user is not used")
    func aRecordOfAnotherUserIsNotUsed() async throws {
        try await client(Served.ok(["S": ["a": 1]])).refresh()
        let record = try #require(store.memory.read(StoreRecord(.active, user: "u")))
        store.memory.write(record, StoreRecord(.active, user: "v"))
        let client = client()
        client.setUser(ConfigurationUser("v"))
        #expect(client.current.origin == .none)
    }

    @Test("The client starts with an unreadable store")
    func theClientStartsWithAnUnreadableStore() async throws {
        store.failReading()
        let client = client(Served.ok(["S": ["a": 1]]))
        #expect(!client.startProblems.isEmpty)
        try await client.refresh()
        #expect(client.current.value("S", "a") == 1)
    }

    @Test("Two clients can share a store")
    func twoClientsOnOneStore() async throws {
        let first = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])), store: store, .atStart)
        let second = client(ScriptedDownloader(Served.ok(["S": ["a": 2]])), store: store, .atStart)
        try await first.refresh()
        try await second.refresh()
        #expect(first.activate())
        #expect(first.current.value("S", "a") == 1)
        #expect(second.activate())
        #expect(second.current.value("S", "a") == 2)
        #expect(client().current.value("S", "a") == 2)
    }
}
