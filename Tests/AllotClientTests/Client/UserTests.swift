import AllotClient
import AllotConfiguration
import Testing

struct UserTests {
    let time = TestTime()
    let store = MemoryStore()

    private func client(
        _ downloader: ScriptedDownloader, user: String?, bootstrap: ConfigurationDocument? = nil
    ) -> ConfigurationClient {
        var options = ClientOptions.development.under(time)
        if let bootstrap { options.bootstrap = { bootstrap } }
        return ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser(user), options: options)
    }

    /// Says whose configuration it is.
    private static let personal: ScriptedDownloader.Answer = { request in
        await Served.ok(["S": ["whose": .string(request.user.id ?? "nobody")]])(request)
    }

    @Test("A user without a stored configuration does not see the former user's values")
    func aUserWithoutARecordDoesNotGetTheFormerUsersValues() async throws {
        let client = client(ScriptedDownloader(Self.personal), user: "anna")
        try await client.refresh()
        #expect(client.current.value("S", "whose") == "anna")
        client.setUser(ConfigurationUser("ben"))
        #expect(client.current.value("S", "whose") == nil && client.current.origin == .none)
        client.setUser(ConfigurationUser("anna"))
        #expect(client.current.value("S", "whose") == "anna" && client.current.origin == .stored)
    }

    @Test("The configuration is the user's, else the generic, else the bundled one")
    func theOrderIsUserThenNobodyThenBootstrap() async throws {
        let bootstrap = ConfigurationDocument(sections: ["S": ["whose": "bootstrap"]], meta: [:])
        let client = client(ScriptedDownloader(Self.personal), user: "anna", bootstrap: bootstrap)
        #expect(client.current.value("S", "whose") == "bootstrap" && client.current.origin == .bootstrap)
        client.setUser(.none)
        try await client.refresh()
        client.setUser(ConfigurationUser("anna"))
        #expect(client.current.value("S", "whose") == "nobody" && client.current.isGeneric)
        #expect(client.current.source("S", "whose") == .stored)
        try await client.refresh()
        #expect(client.current.value("S", "whose") == "anna" && !client.current.isGeneric)
    }

    @Test("The entity tag of the generic configuration is not sent for a user")
    func theTagOfNobodysConfigurationIsNotSentForAUser() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "nobody"))
        let client = client(downloader, user: nil)
        try await client.refresh()
        client.setUser(ConfigurationUser("anna"))
        try await client.refresh()
        #expect(downloader.requests.map(\.entityTag) == [nil, nil])
    }

    @Test("A response for a former user is stored and not applied")
    func anAnswerForAFormerUserIsKeptAndNotApplied() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader({ request in
            await gate.pass()
            return await Self.personal(request)
        })
        let client = client(downloader, user: "anna")
        let events = client.events
        async let late = client.refresh()
        await gate.arrival()
        client.setUser(ConfigurationUser("ben"))
        gate.open()
        #expect(try await late.outcome == .fetched)
        #expect(client.current.value("S", "whose") == nil && client.user.id == "ben")
        client.setUser(ConfigurationUser("anna"))
        #expect(client.current.value("S", "whose") == "anna")
        for await event in events {
            if case .storedForOtherUser(let user) = event {
                #expect(user.id == "anna")
                break
            }
        }
    }

    @Test("A response for former attributes is discarded")
    func anAnswerForFormerAttributesIsDropped() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(
            { request in
                await gate.pass()
                return await Served.ok(["S": ["country": request.user.attributes["country"] ?? .null]])(request)
            })
        let client = client(downloader, user: nil)
        client.setUser(ConfigurationUser("anna", attributes: ["country": "DE"]))
        async let late = Result { try await client.refresh() }
        await gate.arrival()
        client.setUser(ConfigurationUser("anna", attributes: ["country": "AT"]))
        async let early = Result { try await client.refresh() }
        gate.open()
        let results = await [late, early]
        #expect(throws: RefreshError.superseded) { try results[0].get() }
        #expect(try results[1].get().outcome == .fetched)
        #expect(client.current.value("S", "country") == "AT")
    }

    @Test("A change of attributes makes a refresh due")
    func otherAttributesMakeARefreshDue() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]))
        let client = ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser("anna"), options: ClientOptions().under(time))
        try await client.refresh()
        #expect(try await client.refresh().outcome == .notDue)
        client.setUser(ConfigurationUser("anna", attributes: ["country": "AT"]))
        #expect(try await client.refresh().outcome == .fetched)
    }

    @Test("Canonically equal IDs with different bytes are two users")
    func canonicallyEqualIDsAreTwoUsers() async throws {
        let client = client(ScriptedDownloader(Self.personal), user: "e\u{301}")
        try await client.refresh()
        client.setUser(ConfigurationUser("\u{e9}"))
        #expect(client.current.origin == .none)
    }
}
