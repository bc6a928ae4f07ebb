import AllotConfiguration
import Configuration
import ConfigurationAllot
import Testing

@testable import AllotClient

struct ProviderExposureTests {
    private let key: AbsoluteConfigKey = ["S", "a"]

    private func fixture(_ variant: String = "x") -> ProviderFixture {
        ProviderFixture(["S": ["a": 1, "b": 1]], assignments: assignment(variant, sets: "S.a"))
    }

    @Test("Reading and fetching report an exposure once for each variant, and only if the provider is asked")
    func readingReportsOnce() async throws {
        let fixture = fixture()
        let asked = ConfigReader(providers: [InMemoryProvider(values: ["S.a": 5]), fixture.provider])
        #expect(asked.int(forKey: "S.a") == 5)
        let reader = ConfigReader(provider: fixture.provider)
        #expect(reader.int(forKey: "S.b") == 1)
        #expect(fixture.recorder.exposures.isEmpty)
        #expect(reader.int(forKey: "S.a") == 1)
        #expect(try reader.requiredInt(forKey: "S.a") == 1)
        #expect(reader.snapshot().int(forKey: "S.a") == 1)
        #expect(fixture.recorder.exposures == ["u e x"])
        fixture.serve(["S": ["a": 2]], assignments: assignment("y", sets: "S.a"))
        #expect(try await reader.fetchInt(forKey: "S.a") == 2)
        #expect(fixture.recorder.exposures == ["u e x", "u e y"])
    }

    @Test("Snapshots report no exposure until a value is read")
    func takingAndWatchingSnapshotsReportsNothingUntilAValueIsRead() async throws {
        let fixture = fixture()
        _ = fixture.provider.snapshot()
        _ = "\(fixture.provider)"
        try await fixture.provider.watchSnapshot { updates in
            var iterator = updates.makeAsyncIterator()
            let snapshot = try #require(await iterator.next(isolation: #isolation))
            #expect(fixture.recorder.exposures.isEmpty)
            _ = try snapshot.value(forKey: key, type: .int)
            #expect(fixture.recorder.exposures == ["u e x"])
        }
    }

    @Test("Watching reports an exposure for each delivered value")
    func watchingReportsWhatItHandsOverAndNoChangeElsewhere() async throws {
        let fixture = fixture()
        let (provider, key) = (fixture.provider, key)
        try await provider.watchValue(forKey: key, type: .int) { _ in
            #expect(fixture.recorder.exposures.isEmpty)
        }
        let watching = Task {
            try await provider.watchValue(forKey: key, type: .int) { updates in
                var values: [ConfigValue?] = []
                for await update in updates {
                    values.append(try update.get().value)
                    if values.last == 2 { break }
                }
                return values
            }
        }
        func arrival(of count: Int) async { while fixture.recorder.exposures.count < count { await Task.yield() } }
        await arrival(of: 1)
        // The same value of other variants is not an element, but watching it reports their exposures.
        try await fixture.activate(["S": ["a": 1.0, "b": 1]], assignments: assignment("y", sets: "S.a"))
        await arrival(of: 2)
        let number = JSONValue.number(try #require(JSONNumber("1e0")))
        try await fixture.activate(["S": ["a": number, "b": 1]], assignments: assignment("z", sets: "S.a"))
        await arrival(of: 3)
        try await fixture.activate(["S": ["a": 2, "b": 1]], assignments: assignment("z", sets: "S.a"))
        #expect(try await watching.value == [1, 2])
        #expect(fixture.recorder.exposures == ["u e x", "u e y", "u e z", "u e z"])
    }

    @Test(
        "A change of another setting is not a reading",
        arguments: [
            assignment("x", sets: "S.a"),
            // Another experiment begins on another setting of the section.
            ["e": ["variant": "x", "settings": ["S.a"]], "f": ["variant": "y", "settings": ["S.b"]]],
        ])
    func aChangeElsewhereIsNotAReading(assignments: JSONObject) async throws {
        let fixture = fixture()
        let (provider, key) = (fixture.provider, key)
        let watching = Task {
            try await provider.watchValue(forKey: key, type: .int) { updates in
                var iterator = updates.makeAsyncIterator()
                _ = await iterator.next(isolation: #isolation)
                try await fixture.activate(["S": ["a": 1, "b": 2]], assignments: assignments)
                withUnsafeCurrentTask { $0?.cancel() }
                // The change is looked at before the sequence ends.
                return await iterator.next(isolation: #isolation) == nil
            }
        }
        #expect(try await watching.value)
        #expect(fixture.recorder.exposures == ["u e x"])
    }

    @Test("Variants without a usable value are counted like the others")
    func variantsWithoutAUsableValueAreCountedAsTheOthersAre() throws {
        let fixture = ProviderFixture(
            ["S": ["a": "text", "o": ["x": 1], "n": .null]],
            assignments: [
                "a": ["variant": "v", "settings": ["S.a"]], "o": ["variant": "v", "settings": ["S.o"]],
                "n": ["variant": "v", "settings": ["S.n"]],
            ])
        #expect(throws: AllotProviderError.self) { try fixture.content("S", "a", as: .int) }
        #expect(try fixture.content("S", "o", "y", as: .int) == nil)
        #expect(try fixture.content("S", "n", as: .int) == nil)
        #expect(fixture.recorder.exposures == ["u a v", "u o v", "u n v"])
    }
}
