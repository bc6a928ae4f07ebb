import AllotConfiguration
import Configuration
import ConfigurationAllot
import Testing

@testable import AllotClient

struct ProviderUserTests {
    private func content(_ fixture: ProviderFixture, _ user: ConfigContextValue) throws -> ConfigContent? {
        try fixture.content("S", "a", as: .int, context: ["userID": user])
    }

    @Test("A key of another user is an error")
    func aKeyOfAnotherUserIsAnError() throws {
        let fixture = ProviderFixture(
            ["S": ["a": 1]], assignments: assignment("x", sets: "S.a"), user: "caf\u{E9}")
        let others: [ConfigContextValue] = ["v", "cafe\u{301}", "", 1]
        for other in others {
            let error = #expect(throws: AllotProviderError.self) { try content(fixture, other) }
            #expect(error?.kind == .otherUser)
        }
        #expect(fixture.recorder.exposures.isEmpty)
        #expect(try content(fixture, "caf\u{E9}") == 1)
        #expect(try fixture.content("S", "a", as: .int, context: ["country": "DE"]) == 1)
        let error = #expect(throws: AllotProviderError.self) { try content(fixture, "v") }
        #expect(
            error?.description
                == """
                "/S/a": the current configuration belongs to user "caf\u{E9}", but the key names user "v"; \
                change the client's user first, or leave userID out of the key's context
                """)
    }

    @Test("A user's ID in a key is a text or a number, and the empty one stands for the unknown user")
    func idsInKeys() throws {
        let numbered = ProviderFixture(["S": ["a": 1]], user: "42")
        #expect(try content(numbered, 42) == 1)
        #expect(try content(numbered, "42") == 1)
        for value in [ConfigContextValue.double(42), .bool(true)] {
            let error = #expect(throws: AllotProviderError.self) { try content(numbered, value) }
            #expect(error?.kind == .invalidUser)
        }
        let unknown = ProviderFixture(["S": ["a": 1]], user: nil)
        #expect(try content(unknown, "") == 1)
        let error = #expect(throws: AllotProviderError.self) { try content(unknown, "v") }
        #expect(error?.message.contains("belongs to no user,") == true)
    }

    @Test("A key of another user ends the search and sends no request")
    func anotherUsersKeyEndsTheSearchAndIsNotFetched() async throws {
        let fixture = ProviderFixture(["S": ["a": 1]])
        let reader = ConfigReader(providers: [fixture.provider, InMemoryProvider(values: ["S.a": 2])])
        let key = ConfigKey(["S", "a"], context: ["userID": "v"])
        #expect(reader.int(forKey: key) == nil)
        await #expect(throws: AllotProviderError.self) { try await reader.fetchInt(forKey: key) }
        #expect(fixture.server.requestCount == 0)
    }

    @Test("A watch follows the user")
    func aWatchFollowsTheUser() async throws {
        let fixture = ProviderFixture(["S": ["a": 1]], assignments: assignment("x", sets: "S.a"))
        let key = AbsoluteConfigKey(["S", "a"], context: ["userID": "v"])
        try await fixture.provider.watchValue(forKey: key, type: .int) { updates in
            var iterator = updates.makeAsyncIterator()
            let refused = try #require(await iterator.next(isolation: #isolation))
            #expect(throws: AllotProviderError.self) { try refused.get() }
            #expect(fixture.recorder.exposures.isEmpty)
            fixture.client.setUser(ConfigurationUser("v"))
            #expect(try await iterator.next(isolation: #isolation)?.get().value == 1)
            #expect(fixture.recorder.exposures == ["v e x"])
        }
    }
}
