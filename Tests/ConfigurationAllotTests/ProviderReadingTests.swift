import AllotConfiguration
import Configuration
import ConfigurationAllot
import Testing

@testable import AllotClient

struct ProviderReadingTests {
    @Test("Readers can be scoped to sections and objects")
    func readersAreScopedToSectionsAndObjects() {
        let fixture = ProviderFixture(["Checkout": ["Color": ["red": 0.5, "name": "teal"], "Retries": 3]])
        let reader = ConfigReader(provider: fixture.provider).scoped(to: "Checkout")
        #expect(reader.int(forKey: "Retries") == 3)
        #expect(reader.double(forKey: "Color.red") == 0.5)
        #expect(reader.scoped(to: "Color").string(forKey: "name", default: "blue") == "teal")
        #expect(reader.snapshot().string(forKey: "Color.name") == "teal")
        #expect(reader.string(forKey: "Color.none", default: "blue") == "blue")
    }

    @Test("Names may contain dots and slashes, and are compared by their bytes")
    func namesMayHoldDotsAndSlashes() throws {
        let accented = ProviderFixture(["S": ["caf\u{E9}": 1]])
        #expect(try accented.content("S", "caf\u{E9}", as: .int) == 1)
        #expect(try accented.content("S", "cafe\u{301}", as: .int) == nil)
        let fixture = ProviderFixture(["F": ["a.b": ["c.d": 1], "a": ["b": ["c.d": 2]], "x/y": 3, "x~1y": 4]])
        let reader = ConfigReader(provider: fixture.provider)
        #expect(reader.int(forKey: ["F", "a.b", "c.d"]) == 1)
        #expect(reader.int(forKey: ["F", "a", "b", "c.d"]) == 2)
        #expect(reader.int(forKey: "F.a.b") == nil)
        #expect(try fixture.content("F", "x/y", as: .int) == 3)
        let none = ProviderFixture([:]).provider
        let keys: [AbsoluteConfigKey] = [
            ["F", "a.b"], ["F", "a", "b"], ["F", "x/y"], ["F", "x", "y"], ["F", "x~1y"], [],
        ]
        let encoded = try keys.map { try none.value(forKey: $0, type: .int).encodedKey }
        #expect(encoded == ["/F/a.b", "/F/a/b", "/F/x~1y", "/F/x/y", "/F/x~01y", ""])
    }

    @Test("For null and absent values the next provider is asked")
    func nullAndWhatIsNotThereLeaveTheAnswerToTheNextProvider() throws {
        let fixture = ProviderFixture(["S": ["null": .null, "text": "x", "object": ["null": .null]]])
        let next = InMemoryProvider(values: [
            "S.null": 1, "S.none": 2, "T.none": 3, "alone": 4, "S.text.deeper": 5, "S.object.null": 6,
            "S.object.none": 7, "S.null.deeper": 8,
        ])
        let reader = ConfigReader(providers: [fixture.provider, next])
        let keys: [ConfigKey] = [
            "S.null", "S.none", "T.none", "alone", "S.text.deeper", "S.object.null", "S.object.none", "S.null.deeper",
        ]
        #expect(keys.compactMap { reader.int(forKey: $0) } == Array(1...8))
    }

    @Test("A value of another type ends the search")
    func anotherTypeEndsTheSearch() throws {
        let fixture = ProviderFixture(["S": ["a": "text"]])
        let reader = ConfigReader(providers: [fixture.provider, InMemoryProvider(values: ["S.a": 1])])
        #expect(reader.int(forKey: "S.a") == nil)
        #expect(reader.int(forKey: "S.a", default: 9) == 9)
        let error = #expect(throws: AllotProviderError.self) { try reader.requiredInt(forKey: "S.a") }
        #expect(error?.kind == .typeMismatch)
        #expect(error?.components == ["S", "a"])
        let before = ConfigReader(providers: [InMemoryProvider(values: ["S.a": 1]), fixture.provider])
        #expect(before.int(forKey: "S.a") == 1)
    }

    @Test("A secret setting is secret with all its members")
    func namedSettingsAreSecretWithAllInThem() throws {
        let fixture = ProviderFixture(["Keys": ["a": ["b": "x"]], "S": ["a": "y"]]) { section, _ in section == "Keys" }
        #expect(try fixture.provider.value(forKey: ["Keys", "a", "b"], type: .string).value?.isSecret == true)
        #expect(try fixture.provider.value(forKey: ["S", "a"], type: .string).value?.isSecret == false)
        let mismatch = #expect(throws: AllotProviderError.self) { try fixture.content("Keys", "a", "b", as: .bytes) }
        #expect(mismatch.map { !"\($0)".contains("x\"") } == true)
    }

    @Test("A snapshot does not change")
    func snapshotsKeepWhatTheyAreOf() async throws {
        let fixture = ProviderFixture(["S": ["a": 1, "b": 1]])
        let snapshot = try #require(fixture.provider.snapshot() as? AllotSnapshot)
        try await fixture.activate(["S": ["a": 2, "b": 2]])
        #expect(try snapshot.value(forKey: ["S", "a"], type: .int).value == 1)
        #expect(try fixture.content("S", "b", as: .int) == 2)
        #expect(snapshot.configuration.origin == .stored)
        #expect(snapshot.providerName == "AllotConfigurationProvider")
        #expect(snapshot.description == "AllotConfigurationProvider[2 settings]")
        let named = AllotConfigurationProvider(client: fixture.client, name: "shop")
        #expect(named.providerName == "AllotConfigurationProvider[shop]")
        #expect("\(named)" == "AllotConfigurationProvider[shop][2 settings]")
    }
}
