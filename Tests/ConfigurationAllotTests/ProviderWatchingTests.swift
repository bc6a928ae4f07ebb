import AllotConfiguration
import Configuration
import ConfigurationAllot
import TestSupport
import Testing

@testable import AllotClient

struct ProviderWatchingTests {
    @Test("The current value arrives first, then only others; an error is an element, not the end")
    func theCurrentValueArrivesFirst() async throws {
        let fixture = ProviderFixture(["S": ["a": 1, "b": 1]])
        let reader = ConfigReader(provider: fixture.provider)
        try await reader.watchInt(forKey: "S.a", default: 0) { updates in
            var iterator = updates.makeAsyncIterator()
            #expect(await iterator.next(isolation: #isolation) == 1)
            try await fixture.activate(["S": ["a": 1, "b": 2]])
            try await fixture.activate(["S": ["a": 2, "b": 2]])
            #expect(await iterator.next(isolation: #isolation) == 2)
            try await fixture.activate(["T": ["a": 2]])
            #expect(await iterator.next(isolation: #isolation) == 0)
        }
        try await reader.watchSnapshot { updates in
            var iterator = updates.makeAsyncIterator()
            #expect(await iterator.next(isolation: #isolation)?.int(forKey: "T.a") == 2)
            try await fixture.activate(["T": ["a": 2]])
            try await fixture.activate(["S": ["a": "text"]])
            #expect(await iterator.next(isolation: #isolation)?.string(forKey: "S.a") == "text")
        }
        try await fixture.provider.watchValue(forKey: ["S", "a"], type: .int) { updates in
            var iterator = updates.makeAsyncIterator()
            let mismatch = try #require(await iterator.next(isolation: #isolation))
            #expect(throws: AllotProviderError.self) { try mismatch.get() }
            try await fixture.activate(["S": ["a": 2]])
            #expect(try await iterator.next(isolation: #isolation)?.get().value == 2)
        }
    }

    @Test("Texts that differ in their bytes are two values")
    func textsThatDifferInTheirBytesAreTwoValues() async throws {
        let fixture = ProviderFixture(["S": ["a": "caf\u{E9}", "b": ["caf\u{E9}"]]])
        let changed: JSONObject = ["S": ["a": "cafe\u{301}", "b": ["cafe\u{301}"]]]
        try await fixture.provider.watchValue(forKey: ["S", "a"], type: .string) { texts in
            try await fixture.provider.watchValue(forKey: ["S", "b"], type: .stringArray) { lists in
                var (texts, lists) = (texts.makeAsyncIterator(), lists.makeAsyncIterator())
                _ = await texts.next(isolation: #isolation)
                _ = await lists.next(isolation: #isolation)
                try await fixture.activate(changed)
                let text = try await texts.next(isolation: #isolation)?.get().value
                let list = try await lists.next(isolation: #isolation)?.get().value
                #expect(text == "cafe\u{301}")
                #expect(list?.content == .stringArray(["cafe\u{301}"]))
            }
        }
    }

    @Test("Watching a setting that never changes keeps no former configuration alive", .mayHang)
    func watchingKeepsNoFormerConfiguration() async throws {
        let fixture = ProviderFixture(["S": ["a": 1, "b": 0]], assignments: assignment("x", sets: "S.a"))
        weak let first = fixture.client.current.storage
        let watching = Task {
            try await fixture.provider.watchValue(forKey: ["S", "a"], type: .int) { for await _ in $0 {} }
        }
        while fixture.recorder.exposures.isEmpty { await Task.yield() }
        try await fixture.activate(["S": ["a": 1, "b": 1]], assignments: assignment("x", sets: "S.a"))
        while first != nil { await Task.yield() }
        watching.cancel()
        try await watching.value
    }

    @Test("An expired override is not the first element")
    func anOverrideThatEndsIsNotTheFirstElement() async throws {
        let fixture = ProviderFixture(["S": ["a": 1]])
        fixture.client.changeOverrides {
            $0.set("S", "a", 9)
            $0.expires = fixture.client.options.clock.now()
        }
        try await fixture.provider.watchValue(forKey: ["S", "a"], type: .int) { updates in
            var iterator = updates.makeAsyncIterator()
            let value = try await iterator.next(isolation: #isolation)?.get().value
            #expect(value == 1)
        }
    }

    @Test("Watching ends with the task and with the handler")
    func watchingEndsWithTheTaskAndWithTheHandler() async throws {
        let fixture = ProviderFixture(["S": ["a": 1]])
        let provider = fixture.provider
        let tasks = [
            Task { try await provider.watchValue(forKey: ["S", "a"], type: .int) { for await _ in $0 {} } },
            Task { try await provider.watchSnapshot { for await _ in $0 {} } },
        ]
        while fixture.client.hub.subscriberCount < 2 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { try await task.value }
        #expect(fixture.client.hub.subscriberCount == 0)
        try await provider.watchValue(forKey: ["S", "a"], type: .int) { for await _ in $0 { return } }
        try await provider.watchSnapshot { for await _ in $0 { return } }
        #expect(fixture.client.hub.subscriberCount == 0)
    }
}
