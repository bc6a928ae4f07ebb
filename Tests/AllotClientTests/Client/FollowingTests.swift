import AllotClient
import AllotConfiguration
import Synchronization
import Testing

@Suite struct FollowingTests {
    let time = TestTime()

    /// One connection for each list of updates, and then none that ends.
    private final class ScriptedUpdates: UpdateSource {
        private let connections: Mutex<[[String]]>

        init(_ connections: [String]...) {
            self.connections = Mutex(connections)
        }

        func updates() -> AsyncThrowingStream<ServerUpdate, any Error> {
            AsyncThrowingStream { continuation in
                let connection = connections.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let connection else { return }
                for revision in connection {
                    if revision == "break" {
                        continuation.finish(throwing: RequestError(.unreachable, "the line is dead"))
                        return
                    }
                    continuation.yield(ServerUpdate(revision: revision))
                }
                continuation.finish()
            }
        }
    }

    private func served(_ value: Int, _ revision: String) -> ScriptedDownloader.Answer {
        Served.ok(["S": ["a": .number(JSONNumber(value))]], meta: ["configuration_revision": .string(revision)])
    }

    @Test("A new revision makes the client refresh")
    func asksWhenTheRevisionIsAnother() async throws {
        let downloader = ScriptedDownloader(served(1, "r1"), served(2, "r2"))
        let client = ConfigurationClient(
            downloader: downloader, store: MemoryStore(), options: ClientOptions.development.under(time))
        let source = ScriptedUpdates(["r1", "r1"], ["break"], ["r1", "r2", "r2"])
        let events = client.events
        let following = Task { await client.follow(source) }
        for await setting in client.updates(of: "S", "a") where setting.value == 2 { break }
        var ends = 0
        for await event in events {
            if case .updatesEnded(let error, _) = event {
                #expect((error != nil) == (ends == 1))
                ends += 1
                if ends == 3 { break }
            }
        }
        following.cancel()
        await following.value
        #expect(downloader.requests.count == 2)
        // After a connection that brought something, after one that did not, and after the last.
        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(1)])
    }

    @Test("A server that announces a revision too early is asked again")
    func aServerThatIsLateIsAskedAgain() async throws {
        let downloader = ScriptedDownloader(served(1, "r1"), served(1, "r1"), served(2, "r2"))
        let client = ConfigurationClient(
            downloader: downloader, store: MemoryStore(), options: ClientOptions.development.under(time))
        let following = Task { await client.follow(ScriptedUpdates(["r2"])) }
        for await setting in client.updates(of: "S", "a") where setting.value == 2 { break }
        following.cancel()
        await following.value
        #expect(downloader.requests.count == 3)
    }
}
