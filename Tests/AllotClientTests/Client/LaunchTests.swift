import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

/// What an app does at its launch, and what it leaves to the client.
struct LaunchTests: ClientSuite {
    let time = TestTime()

    @Test("A client requests nothing until it is called to")
    func nothingIsRequestedByItself() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]))
        let client = client(downloader, user: nil)
        var updates = client.updates().makeAsyncIterator()
        _ = await updates.next()
        client.setUser(ConfigurationUser("v"))
        client.activate()
        time.advance(7 * 86_400)
        #expect(client.current.value("S", "a") == nil)
        #expect(downloader.requests.isEmpty)
        try await client.refresh()
        #expect(downloader.requests.count == 1)
    }

    /// The client of an app, which is a static property.
    private enum Shared {
        static let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]))
        static let client = start()

        private static func start() -> ConfigurationClient {
            let client = ConfigurationClient(downloader: downloader, store: MemoryStore(), options: .development)
            Task { try await client.refresh() }
            return client
        }
    }

    @Test("A shared client starts when it is first used", .mayHang)
    func sharedClient() async {
        #expect(Shared.downloader.requests.isEmpty)
        var updates = Shared.client.updates(of: "S", "a").makeAsyncIterator()
        while let update = await updates.next(), update.value == nil {}
        #expect(Shared.downloader.requests.count == 1)
    }

    @Test("An app is notified of changes on a queue of its own", .mayHang)
    func ownQueue() async throws {
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])))
        let screen = Screen()
        let showing = Task { await screen.show(client) }
        try await client.refresh()
        #expect(await showing.value)
    }
}

/// Runs the jobs of an actor on a queue.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "screen")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Traps on another queue.
    func requireQueue() { dispatchPrecondition(condition: .onQueue(queue)) }
}

private actor Screen {
    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether the value arrived; each element is handled on the queue.
    func show(_ client: ConfigurationClient) async -> Bool {
        for await section in client.updates(of: "S") {
            executor.requireQueue()
            if section?["a"] == 1 { return true }
        }
        return false
    }
}
