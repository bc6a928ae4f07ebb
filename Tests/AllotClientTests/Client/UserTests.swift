import AllotConfiguration
import Testing

@testable import AllotClient

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

    @Test("A bundled configuration that was saved for a user counts nobody as that user")
    func aBundledConfigurationIsNobodys() throws {
        let saved = ConfigurationDocument(
            sections: ["S": ["a": 1]],
            meta: [
                "assignments": ["e": ["variant": "b", "settings": ["S.a"]]], "holdouts": ["h"],
                "creation_time": "2026-11-01T08:00Z",
            ])
        let client = client(ScriptedDownloader(Self.personal), user: "anna", bootstrap: saved)
        #expect(client.current.value("S", "a") == 1 && client.current.assignments.isEmpty)
        #expect(client.current.document.meta == ["creation_time": "2026-11-01T08:00Z"])
        let rejection = #expect(throws: Rejection.self) { try client.validateBootstrap() }
        #expect(rejection == .personal(["assignments", "holdouts"]))
        #expect(rejection?.description.contains("/activeconfig/user/(null)") == true)
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

    @Test("New attributes activate nothing by themselves; fetching and activating does")
    func newAttributesActivateNothing() async throws {
        let downloader = ScriptedDownloader({ request in
            await Served.ok(["S": ["country": request.user.attributes["country"] ?? .null]])(request)
        })
        let client = ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser("anna", attributes: ["country": "DE"]),
            options: ClientOptions().under(time))
        #expect(try await client.fetchAndActivate())
        client.setUser(ConfigurationUser("anna", attributes: ["country": "AT"]))
        #expect(client.current.value("S", "country") == "DE")
        #expect(try await client.refresh() == RefreshResult(.fetched, isChanged: true))
        #expect(client.current.value("S", "country") == "DE")
        client.setUser(ConfigurationUser("anna", attributes: ["country": "CH"]))
        #expect(try await client.fetchAndActivate())
        #expect(client.current.value("S", "country") == "CH")
    }

    // MARK: Forgetting

    private func records(of user: String?) -> Int {
        StoreRecord.Kind.allCases.filter { store.read(StoreRecord($0, user: user)) != nil }.count
    }

    @Test("Nothing stays of a user who is forgotten, current or not")
    func forgottenUsersLeaveNothing() async throws {
        let bootstrap = ConfigurationDocument(sections: ["S": ["whose": "bootstrap"]], meta: [:])
        let client = client(ScriptedDownloader(Self.personal), user: "anna", bootstrap: bootstrap)
        try await client.refresh()
        client.setUser(ConfigurationUser("ben"))
        try await client.refresh()
        #expect(records(of: "anna") == 2 && records(of: "ben") == 2)
        #expect(client.forget(ConfigurationUser("anna", attributes: ["country": "DE"])) == nil)
        #expect(records(of: "anna") == 0 && records(of: "ben") == 2)
        #expect(client.current.value("S", "whose") == "ben")
        client.forget(ConfigurationUser("ben"))
        #expect(records(of: "ben") == 0 && client.user.id == "ben")
        #expect(client.current.value("S", "whose") == "bootstrap")
        #expect(try await client.refresh().outcome == .fetched)
        // What another user has of no user goes with it.
        client.setUser(.none)
        try await client.refresh()
        client.setUser(ConfigurationUser("chris"))
        #expect(client.current.isGeneric)
        client.forget(.none)
        #expect(records(of: nil) == 0 && client.current.value("S", "whose") == "bootstrap")
    }

    @Test("The request of a user who is forgotten is cancelled, and its response not stored")
    func requestsOfForgottenUsersEnd() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader({ request in
            await gate.pass()
            return await Self.personal(request)
        })
        let client = client(downloader, user: "anna")
        async let late = Result { try await client.refresh() }
        await gate.arrival()
        client.forget(ConfigurationUser("anna"))
        gate.open()
        let result = await late
        #expect(throws: RefreshError.cancelled) { try result.get() }
        #expect(records(of: "anna") == 0 && client.current.origin == .none)
        #expect(try await client.refresh().outcome == .fetched)
    }

    @Test("A record that cannot be removed is reported, and not the current configuration")
    func recordsThatCannotBeRemoved() async throws {
        let store = FaultyStore()
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(Self.personal), store: store, user: ConfigurationUser("anna"),
            options: ClientOptions.development.under(time))
        try await client.refresh()
        store.failWriting()
        #expect(client.forget(ConfigurationUser("anna"))?.kind == .unwritable)
        #expect(client.current.origin == .none)
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
