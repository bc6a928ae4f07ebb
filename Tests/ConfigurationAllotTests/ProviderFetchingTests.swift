import AllotConfiguration
import Configuration
import ConfigurationAllot
import Testing

@testable import AllotClient

struct ProviderFetchingTests {
    private let key: AbsoluteConfigKey = ["S", "a"]

    @Test(
        "Fetching asks the server each time and activates the response",
        arguments: [ClientOptions.Activation.atStart, .whenFetched, .byCall])
    func fetchingAsksTheServerEachTime(_ activation: ClientOptions.Activation) async throws {
        let fixture = ProviderFixture(["S": ["a": 1]], activation: activation)
        let reader = ConfigReader(provider: fixture.provider)
        for value in 2...3 {
            fixture.serve(["S": ["a": JSONValue(integerLiteral: value)]])
            #expect(try await reader.fetchRequiredInt(forKey: "S.a") == value)
            #expect(reader.int(forKey: "S.a") == value)
        }
        #expect(fixture.server.requestCount == 2)
        fixture.server.answer(.success(DownloadAnswer(body: nil)))
        #expect(try await reader.fetchInt(forKey: "S.none") == nil)
        #expect(fixture.server.requestCount == 3)
    }

    @Test("A failed fetch, or a value of another type, throws, and returns nothing stale")
    func aFailureIsThrownAndNothingStaleIsReturned() async throws {
        let fixture = ProviderFixture(["S": ["a": 1]])
        let failure = RequestError(.status(501), "no")
        fixture.server.answer(.failure(failure))
        let reader = ConfigReader(providers: [fixture.provider, InMemoryProvider(values: ["S.a": 7, "port": 80])])
        // A key that names no setting sends no request.
        #expect(try await reader.fetchInt(forKey: "port") == 80)
        #expect(fixture.server.requestCount == 0)
        await #expect(throws: RefreshError.failed(failure)) { try await reader.fetchInt(forKey: "S.a") }
        await #expect(throws: RefreshError.failed(failure)) { try await reader.fetchInt(forKey: "S.a", default: 8) }
        #expect(reader.int(forKey: "S.a") == 1)
        fixture.server.answer(.success(DownloadAnswer(body: Array("<html>".utf8))))
        await #expect(throws: RefreshError.self) { try await reader.fetchInt(forKey: "S.a") }
        #expect(reader.int(forKey: "S.a") == 1)
        fixture.serve(["S": ["a": "text"]])
        let error = await #expect(throws: AllotProviderError.self) {
            try await fixture.provider.fetchValue(forKey: key, type: .int)
        }
        #expect(error?.kind == .typeMismatch)
    }

    @Test("A change of user during a fetch is an error, and activates nothing for the new user")
    func fetchingActivatesForItsUserOnly() async throws {
        let fixture = ProviderFixture(
            ["S": ["a": 1]], assignments: assignment("x", sets: "S.a"), activation: .byCall)
        fixture.keepFetched(["S": ["a": 2]], for: "v")
        fixture.server.meanwhile { fixture.client.setUser(ConfigurationUser("v")) }
        let error = await #expect(throws: AllotProviderError.self) {
            try await fixture.provider.fetchValue(forKey: key, type: .int)
        }
        #expect(error?.kind == .userChanged)
        #expect(fixture.recorder.exposures.isEmpty)
        #expect(fixture.client.user.id == "v")
        #expect(fixture.client.current.value("S", "a") == 1)
        fixture.client.activate()
        #expect(fixture.client.current.value("S", "a") == 2)
    }
}
