import AllotConfiguration
import Testing

@testable import AllotClient

struct ListeningTests: ClientSuite {
    let time = TestTime()

    @Test("The current value arrives first, then only changes")
    func theCurrentValueComesFirstThenChangesOnly() async throws {
        let client = client(
            ScriptedDownloader(
                Served.ok(["S": ["a": 1], "O": ["a": 1]]), Served.ok(["S": ["a": 1], "O": ["a": 2]]),
                Served.ok(["S": ["a": 2], "O": ["a": 2]]), Served.ok(["O": ["a": 2]])))
        var section = client.updates(of: "S").makeAsyncIterator()
        var setting = client.updates(of: "S", "a").makeAsyncIterator()
        #expect(try #require(await section.next()) == nil)
        #expect(try #require(await setting.next()).value == nil)
        try await client.refresh()
        #expect(try #require(await section.next())?["a"] == 1)
        #expect(try #require(await setting.next()).value == 1)
        try await client.refresh()
        try await client.refresh()
        #expect(try #require(await section.next())?["a"] == 2)
        #expect(try #require(await setting.next()).value == 2)
        try await client.refresh()
        #expect(try #require(await section.next()) == nil)
        #expect(try #require(await setting.next()).value == nil)
    }

    @Test("Another variant with equal values is a change")
    func anotherVariantWithEqualValuesIsAChange() async throws {
        func assignment(_ variant: String) -> JSONObject { ["e": ["variant": .string(variant), "settings": ["S.a"]]] }
        let client = client(
            ScriptedDownloader(
                Served.ok(["S": ["a": 1], "O": ["a": 1]], assignments: assignment("x")),
                Served.ok(["S": ["a": 1], "O": ["a": 1]], assignments: assignment("y")),
                Served.ok(["S": ["a": 1], "O": ["a": 3]], assignments: assignment("y"))))
        try await client.refresh()
        var section = client.updates(of: "S").makeAsyncIterator()
        var other = client.updates(of: "O").makeAsyncIterator()
        var all = client.updates().makeAsyncIterator()
        #expect(try #require(await section.next())?.assignments.map(\.variant) == ["x"])
        #expect(try #require(await other.next())?["a"] == 1)
        _ = await all.next()
        try await client.refresh()
        #expect(try #require(await section.next())?.assignments.map(\.variant) == ["y"])
        #expect(await all.next()?.assignments["e"]?.variant == "y")
        try await client.refresh()
        #expect(try #require(await other.next())?["a"] == 3)
    }

    @Test("Subscriptions end with the client")
    func listeningEndsWithTheClient() async throws {
        var client: ConfigurationClient? = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])))
        let updates = try #require(client).updates()
        let events = try #require(client).events
        client = nil
        var count = 0
        for await _ in updates { count += 1 }
        for await _ in events { count += 1 }
        #expect(count == 1)
    }

    @Test("Elements are delivered on the actor that requests them")
    @MainActor func elementsComeToTheActorThatAsks() async throws {
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])))
        let values = Values()
        let task = Task { @MainActor in
            for await configuration in client.updates() {
                MainActor.assertIsolated()
                values.all.append(configuration.value("S", "a"))
                if values.all.count == 2 { return }
            }
        }
        while values.all.isEmpty { await Task.yield() }
        try await client.refresh()
        await task.value
        #expect(values.all == [nil, 1])
    }

    @MainActor private final class Values { var all: [JSONValue?] = [] }

    @Test("A thousand subscribers receive a change, and one whose task is cancelled unsubscribes")
    func manySubscribersReceiveOneChange() async throws {
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])))
        let cancelled = Task {
            for await _ in client.updates() {}
            return true
        }
        let heard = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    for await section in client.updates(of: "S") where section != nil { return 1 }
                    return 0
                }
            }
            while client.hub.subscriberCount < 1001 { await Task.yield() }
            cancelled.cancel()
            // It waits for no change.
            #expect(await cancelled.value)
            _ = try? await client.refresh()
            return await group.reduce(0, +)
        }
        #expect(heard == 1000)
        while client.hub.subscriberCount > 0 { await Task.yield() }
    }

    @Test("Events report what happened, in order")
    func eventsTellWhatHappened() async throws {
        let client = client(
            ScriptedDownloader(
                Served.ok(["S": ["a": 1, "b": 1]]),
                Served.ok(["S": ["a": 2, "c": 1]], assignments: ["e": ["variant": "x"]]),
                Served.unreachable, Served.ok(["S": ["a": 2, "c": 1]], assignments: ["e": ["variant": "x"]]),
                Served.bytes(Array("<html>".utf8))))
        try await client.refresh()
        let events = client.events
        try await client.refresh()
        try await client.refresh()
        _ = try? await client.refresh()
        var told: [String] = []
        for await event in events {
            switch event {
            case .fetched(_, let change): told.append("fetched \(change.settings)")
            case .activated(_, let change):
                told.append("activated \(change.settings) \(change.experiments) \(change.meta)")
            case .failed(_, let error, let delay):
                told.append("failed \(error.description) \(delay.map { $0 / .seconds(1) } ?? -1)")
            case .rejected: told.append("rejected")
            default: told.append("\(event)")
            }
            if told.last == "rejected" { break }
        }
        #expect(
            told == [
                #"fetched ["S.a", "S.b", "S.c"]"#, #"activated ["S.a", "S.b", "S.c"] ["e"] []"#,
                "failed no server 1.0", "fetched []", "rejected",
            ])
    }
}
