import AllotConfiguration
import TestSupport
import Testing

@testable import AllotClient

struct UserTests {
    let time = TestTime()
    let store = MemoryStore()

    /// A client on the suite's store, unless a test names another, that keeps a number of former users.
    private func client(
        _ downloader: ScriptedDownloader = ScriptedDownloader(Self.personal), keeping limit: Int = 5,
        in store: (any ConfigurationStore)? = nil, user: String? = nil, bootstrap: ConfigurationDocument? = nil
    ) -> ConfigurationClient {
        var options = ClientOptions.development.under(time)
        options.keptUsers = limit
        if let bootstrap { options.bootstrap = { bootstrap } }
        return ConfigurationClient(
            downloader: downloader, store: store ?? self.store, user: ConfigurationUser(user), options: options)
    }

    /// Fetches the configurations of users, one after the other.
    private func refresh(_ client: ConfigurationClient, _ users: [String]) async throws {
        for user in users {
            client.setUser(ConfigurationUser(user))
            try await client.refresh()
        }
    }

    /// A configuration that is bundled with the app.
    private static let bundled = ConfigurationDocument(sections: ["S": ["whose": "bootstrap"]], meta: [:])

    /// Says whose configuration it is.
    private static let personal: ScriptedDownloader.Answer = { request in
        await Served.ok(["S": ["whose": .string(request.user.id ?? "no user")]])(request)
    }

    /// Says for which country it is.
    private static let ofCountry: ScriptedDownloader.Answer = { request in
        await Served.ok(["S": ["country": request.user.attributes["country"] ?? .null]])(request)
    }

    /// Users differ by bytes.
    @Test(
        "A user without a stored configuration does not see the former user's values",
        arguments: [("anna", "ben"), ("e\u{301}", "\u{e9}")])
    func aUserWithoutARecordDoesNotGetTheFormerUsersValues(former: String, next: String) async throws {
        let client = client(user: former)
        try await client.refresh()
        #expect(client.current.value("S", "whose") == .string(former))
        client.setUser(ConfigurationUser(next))
        #expect(client.current.value("S", "whose") == nil)
        #expect(client.current.origin == .none)
        client.setUser(ConfigurationUser(former))
        #expect(client.current.value("S", "whose") == .string(former))
        #expect(client.current.origin == .stored)
    }

    /// The entity tag of the generic configuration is not sent for a user.
    @Test("The configuration is the user's, else the generic, else the bundled one")
    func theOrderIsUserThenGenericThenBootstrap() async throws {
        let downloader = ScriptedDownloader({ request in
            await Served.ok(["S": ["whose": .string(request.user.id ?? "no user")]], tag: "tag")(request)
        })
        let client = client(downloader, user: "anna", bootstrap: Self.bundled)
        #expect(client.current.value("S", "whose") == "bootstrap")
        #expect(client.current.origin == .bootstrap)
        client.setUser(.none)
        try await client.refresh()
        client.setUser(ConfigurationUser("anna"))
        #expect(client.current.value("S", "whose") == "no user")
        #expect(client.current.isGeneric)
        #expect(client.current.source("S", "whose") == .stored)
        try await client.refresh()
        #expect(client.current.value("S", "whose") == "anna")
        #expect(!client.current.isGeneric)
        #expect(downloader.requests.map(\.entityTag) == [nil, nil])
    }

    @Test("A bundled configuration that was saved for a user counts no user as that one")
    func aBundledConfigurationIsImpersonal() throws {
        let saved = ConfigurationDocument(
            sections: ["S": ["a": 1]],
            meta: [
                "assignments": ["e": ["variant": "b", "settings": ["S.a"]]], "holdouts": ["h"],
                "creation_time": "2026-11-01T08:00Z",
            ])
        let client = client(user: "anna", bootstrap: saved)
        #expect(client.current.value("S", "a") == 1)
        #expect(client.current.assignments.isEmpty)
        #expect(client.current.document.meta == ["creation_time": "2026-11-01T08:00Z"])
        let rejection = #expect(throws: Rejection.self) { try client.validateBootstrap() }
        #expect(rejection == .personal(["assignments", "holdouts"]))
        #expect(rejection?.description.contains("/activeconfig/user/(null)") == true)
    }

    @Test("A response for a former user is stored and not applied")
    func anAnswerForAFormerUserIsKeptAndNotApplied() async throws {
        let gate = Gate()
        let client = client(ScriptedDownloader(Served.held(gate, Self.personal)), user: "anna")
        let events = client.events
        async let late = client.refresh()
        await gate.arrival()
        client.setUser(ConfigurationUser("ben"))
        gate.open()
        #expect(try await late.outcome == .fetched)
        #expect(client.current.value("S", "whose") == nil)
        #expect(client.user.id == "ben")
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
        let client = client(ScriptedDownloader(Served.held(gate, Self.ofCountry)), user: nil)
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

    @Test("New attributes make a refresh due, and activate nothing by themselves; fetching and activating does")
    func newAttributesActivateNothing() async throws {
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(Self.ofCountry), store: store,
            user: ConfigurationUser("anna", attributes: ["country": "DE"]), options: ClientOptions().under(time))
        #expect(try await client.fetchAndActivate())
        #expect(try await client.refresh().outcome == .notDue)
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
        StoreRecord.Kind.ofUsers.filter { store.read(StoreRecord($0, user: user)) != nil }.count
    }

    @Test("Nothing stays of a user who is forgotten, current or not")
    func forgottenUsersLeaveNothing() async throws {
        let client = client(bootstrap: Self.bundled)
        try await refresh(client, ["anna", "ben"])
        #expect(records(of: "anna") == 2)
        #expect(records(of: "ben") == 2)
        #expect(client.forget(ConfigurationUser("anna", attributes: ["country": "DE"])) == nil)
        #expect(records(of: "anna") == 0)
        #expect(records(of: "ben") == 2)
        #expect(client.current.value("S", "whose") == "ben")
        client.forget(ConfigurationUser("ben"))
        #expect(records(of: "ben") == 0)
        #expect(client.user.id == "ben")
        #expect(client.current.value("S", "whose") == "bootstrap")
        #expect(try await client.refresh().outcome == .fetched)
        // What another user has of no user goes with it.
        client.setUser(.none)
        try await client.refresh()
        client.setUser(ConfigurationUser("chris"))
        #expect(client.current.isGeneric)
        client.forget(.none)
        #expect(records(of: nil) == 0)
        #expect(client.current.value("S", "whose") == "bootstrap")
        for name in ["ben", "chris"] { client.forget(ConfigurationUser(name)) }
        #expect(store.read(StoreRecord(.users, user: nil)) == nil)
    }

    @Test("The request of a user who is forgotten is cancelled, and its response not stored")
    func requestsOfForgottenUsersEnd() async throws {
        let gate = Gate()
        let client = client(ScriptedDownloader(Served.held(gate, Self.personal)), user: "anna")
        async let late = Result { try await client.refresh() }
        await gate.arrival()
        client.forget(ConfigurationUser("anna"))
        gate.open()
        let result = await late
        #expect(throws: RefreshError.cancelled) { try result.get() }
        #expect(records(of: "anna") == 0)
        #expect(client.current.origin == .none)
        #expect(try await client.refresh().outcome == .fetched)
    }

    @Test("A record that cannot be removed is reported, and not the current configuration")
    func recordsThatCannotBeRemoved() async throws {
        let store = FaultyStore()
        let client = client(in: store, user: "anna")
        try await client.refresh()
        store.failWriting()
        #expect(client.forget(ConfigurationUser("anna"))?.kind == .unwritable)
        #expect(client.current.origin == .none)
    }

    // MARK: Former users

    /// The users of whom there are records.
    private func kept(_ users: [String], in store: MemoryStore? = nil) -> [String] {
        users.filter { user in
            StoreRecord.Kind.ofUsers.contains { (store ?? self.store).read(StoreRecord($0, user: user)) != nil }
        }
    }

    /// The number of former users that are kept, the users in the order of their use, and those of whom there are
    /// records at the end.
    static let successions: [(limit: Int, users: [String], kept: [String])] = [
        (5, ["a", "b", "c", "d", "e", "f"], ["a", "b", "c", "d", "e", "f"]),
        (5, ["a", "b", "c", "d", "e", "f", "g", "h"], ["c", "d", "e", "f", "g", "h"]),
        (2, ["a", "b", "a", "c", "d"], ["a", "c", "d"]), (2, ["a", "b", "c", "b", "a"], ["a", "b", "c"]),
        (1, ["a", "b", "a", "b"], ["a", "b"]), (0, ["a", "b", "c"], ["c"]), (-1, ["a", "b"], ["b"]),
        // Users differ by bytes.
        (1, ["e\u{301}", "\u{e9}", "a"], ["\u{e9}", "a"]),
    ]

    @Test("The records of former users are bounded, the least recently used go first", arguments: successions.indices)
    func formerUsersAreBounded(index: Int) async throws {
        let (limit, users, expected) = Self.successions[index]
        // In one run of the app, or one for each user.
        let once = MemoryStore()
        try await refresh(client(keeping: limit, in: once), users)
        for user in users { try await client(keeping: limit, user: user).refresh() }
        // A dictionary of these texts would take two users for one.
        let all = users.reduce(into: [String]()) { all, user in
            if !all.contains(where: { Array($0.utf8) == Array(user.utf8) }) { all.append(user) }
        }
        for store in [once, store] {
            let found = kept(all, in: store).map { Array($0.utf8) }
            #expect(Set(found) == Set(expected.map { Array($0.utf8) }))
        }
        #expect(records(of: nil) == 0)
    }

    @Test("A user who returns is used, and one for whom nothing is stored displaces no other")
    func returningUsersAreUsed() async throws {
        let client = client(keeping: 2)
        try await refresh(client, ["a", "b", "c"])
        client.setUser(ConfigurationUser("a"))
        for user in ["x", "y", "z"] { client.setUser(ConfigurationUser(user)) }
        #expect(kept(["a", "b", "c"]) == ["a", "b", "c"])
        try await refresh(client, ["d"])
        #expect(kept(["a", "b", "c", "d"]) == ["a", "c", "d"])
        #expect(client.current.value("S", "whose") == "d")
        // The configuration of no user stays.
        client.setUser(.none)
        try await client.refresh()
        try await refresh(client, ["e", "f", "g"])
        #expect(records(of: nil) > 0)
    }

    @Test(
        "A user who logs out is a former one",
        arguments: [(0, []), (-1, []), (1, ["b"]), (2, ["a", "b"])] as [(Int, [String])])
    func loggedOutUsersAreFormer(limit: Int, expected: [String]) async throws {
        // The app calls `setUser`, or starts without a user and fetches the configuration of no user.
        for isRestarted in [false, true] {
            let store = MemoryStore()
            let first = client(keeping: limit, in: store, user: "a")
            try await refresh(first, ["a", "b"])
            if isRestarted {
                let second = client(keeping: limit, in: store)
                // Starting alone removes nothing: the app may set the user of the last run next.
                #expect(kept(["b"], in: store) == ["b"])
                try await second.refresh()
            } else {
                first.setUser(.none)
            }
            #expect(kept(["a", "b"], in: store) == expected)
            #expect((store.read(StoreRecord(.users, user: nil)) == nil) == expected.isEmpty)
        }
    }

    @Test("An app that starts without a user, and sets the one of the last run, finds that user's configuration")
    func usersAfterAStartWithoutOne() async throws {
        for user in [nil, "a"] { try await client(keeping: 0, user: user).refresh() }
        let next = client(keeping: 0)
        #expect(next.current.value("S", "whose") == "no user")
        next.setUser(ConfigurationUser("a"))
        #expect(next.current.value("S", "whose") == "a")
        #expect(next.current.origin == .stored)
    }

    @Test("The current user's records stay, also when a response for a former user comes late")
    func currentUserStays() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader({ request in
            if request.user.id == "late" { await gate.pass() }
            return await Self.personal(request)
        })
        let client = client(downloader, keeping: 1, user: "late")
        async let late = Result { try await client.refresh() }
        await gate.arrival()
        try await refresh(client, ["a", "b"])
        gate.open()
        #expect(try await late.get().outcome == .fetched)
        #expect(kept(["late", "a", "b"]) == ["late", "b"])
        #expect(client.current.value("S", "whose") == "b")
    }

    @Test("Exposures that wait to be sent keep no records of former users, and are sent later", .mayHang)
    func waitingExposuresKeepNoRecords() async throws {
        let server = FakeExposureServer()
        server.behave { _ in .fails(RequestError(.unreachable, "offline")) }
        let reporter = ExposureReporter.make(nil, server)
        let answer: ScriptedDownloader.Answer = { request in
            let assignments: JSONObject = ["e": ["variant": "b", "settings": ["S.whose"]]]
            return await Served.ok(
                ["S": ["whose": .string(request.user.id ?? "no user")]], assignments: assignments)(request)
        }
        var options = ClientOptions.development.under(time)
        options.keptUsers = 1
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(answer), store: store, options: options, exposures: reporter)
        let users = ["a", "b", "c", "d"]
        for user in users {
            try await refresh(client, [user])
            #expect(client.current.value("S", "whose") == .string(user))
        }
        #expect(kept(users) == ["c", "d"])
        #expect(reporter.waitingCount == 4)
        server.behave { _ in .answer }
        await reporter.flush()
        #expect(Set(server.stored.map(\.unit)) == Set(users))
    }

    @Test("A store that is full for a while leaves no records behind")
    func storesThatAreFullForAWhile() async throws {
        let store = FaultyStore()
        let client = client(keeping: 0, in: store)
        try await refresh(client, ["a"])
        store.failWriting()
        try await refresh(client, ["b"])
        store.failWriting(false)
        #expect(kept(["a"], in: store.memory) == ["a"])
        try await refresh(client, ["c"])
        #expect(kept(["a", "b", "c"], in: store.memory) == ["c"])
    }
}
