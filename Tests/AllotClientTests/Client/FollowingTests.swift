import AllotConfiguration
import Synchronization
import TestSupport
import Testing

@testable import AllotClient

struct FollowingTests: ClientSuite {
    let time = TestTime()

    private typealias Connection = @Sendable (AsyncThrowingStream<ServerUpdate, any Error>.Continuation) -> Void

    /// Connections, which end as a test says, and then none that ends.
    private final class ScriptedUpdates: UpdateSource {
        private let connections: Mutex<[Connection]>

        init(_ connections: [Connection]) { self.connections = Mutex(connections) }

        /// One connection for each list of updates. An update is a revision, or a revision and a boundary with "@"
        /// between them.
        convenience init(_ connections: [String]...) {
            self.init(
                connections.map { updates in
                    { continuation in
                        for update in updates {
                            if update == "break" {
                                continuation.finish(throwing: RequestError(.unreachable, "the line is dead"))
                                return
                            }
                            let parts = update.split(separator: "@").map(String.init)
                            continuation.yield(
                                ServerUpdate(revision: parts[0], boundary: parts.count > 1 ? parts[1] : nil))
                        }
                        continuation.finish()
                    }
                })
        }

        func updates() -> AsyncThrowingStream<ServerUpdate, any Error> {
            AsyncThrowingStream { continuation in
                let connection = connections.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                connection?(continuation)
            }
        }
    }

    /// Follows updates until a condition is met, after which the connection is cancelled.
    private func follow(
        _ client: ConfigurationClient, _ source: any UpdateSource, until isMet: () async throws -> Void
    ) async rethrows {
        let following = Task { await client.follow(source) }
        try await isMet()
        following.cancel()
        await following.value
    }

    /// Waits until the setting "a" is 2.
    private func untilTwo(_ client: ConfigurationClient) async {
        for await setting in client.updates(of: "S", "a") where setting.value == 2 { break }
    }

    /// Waits until a number of connections have ended. Returns the delays before the next ones.
    @discardableResult
    private func ends(_ count: Int, _ events: AsyncStream<ConfigurationEvent>) async -> [Duration] {
        var delays: [Duration] = []
        for await event in events {
            if case .updatesEnded(_, let delay) = event { delays.append(delay) }
            if delays.count == count { break }
        }
        return delays
    }

    private func served(_ value: Int, _ revision: String) -> ScriptedDownloader.Answer {
        Served.ok(["S": ["a": .number(JSONNumber(value))]], meta: ["configuration_revision": .string(revision)])
    }

    @Test("A new revision makes the client refresh")
    func asksWhenTheRevisionIsAnother() async throws {
        let downloader = ScriptedDownloader(served(1, "r1"), served(2, "r2"))
        let client = client(downloader)
        let events = client.events
        await follow(client, ScriptedUpdates(["r1", "r1"], ["break"], ["r1", "r2", "r2"])) {
            await untilTwo(client)
            var errors: [Bool] = []
            for await event in events {
                if case .updatesEnded(let error, _) = event { errors.append(error != nil) }
                if errors.count == 3 { break }
            }
            #expect(errors == [false, true, false])
        }
        #expect(downloader.requests.count == 2)
        // After a connection that brought something, after one that did not, and after the last.
        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(1)])
    }

    /// The delays of a client after its first connections.
    private func delays(
        _ count: Int, _ downloader: ScriptedDownloader, _ options: ClientOptions, _ connect: @escaping Connection
    ) async -> [Duration] {
        let source = ScriptedUpdates(Array(repeating: connect, count: count))
        let client = client(downloader, options)
        let events = client.events
        var delays: [Duration] = []
        await follow(client, source) { delays = await ends(count, events) }
        return delays
    }

    /// The seconds for which connections last, the status that ends them, and the delays after them.
    @Test(
        "Delays double after failures, and not after connections that lasted; after refusals they are an hour",
        arguments: [
            // Nothing changes during a connection.
            (3600, nil, [1, 1, 1, 1]), (59, nil, [1, 2, 4, 8]), (0, nil, [1, 2, 4]),
            // A token (401) may be renewed; all else stays until the server or the app is changed.
            (0, 401, [1, 2]), (0, 403, [3600, 3600]), (0, 404, [3600, 3600]), (0, 501, [3600, 3600]),
        ] as [(Double, Int?, [Int])])
    func delaysAfterConnections(age: Double, status: Int?, expected: [Int]) async {
        var options = ClientOptions.development
        options.retry = RetryPolicy(firstDelay: .zero)
        let downloader = ScriptedDownloader(served(1, "r1"))
        let delays = await delays(expected.count, downloader, options) { [time] continuation in
            if age > 0 { continuation.yield(ServerUpdate(revision: "r1")) }
            time.advance(age)
            continuation.finish(throwing: status.map { RequestError(.status($0), "no events") })
        }
        #expect(delays == expected.map { Duration.seconds($0) })
    }

    @Test(
        "A refused request is made again after the next message, or without one if its token was rejected",
        arguments: [(403, ["r1", "r2"], [1], 2), (401, ["r1"], [1, 2, 1], 3)] as [(Int, [String], [Int], Int)])
    func refusedRequests(status: Int, revisions: [String], sleeps: [Int], requests: Int) async {
        let second = status == 401 ? Served.status(status) : served(1, "r2")
        let downloader = ScriptedDownloader(Served.status(status), second, served(1, "r1"))
        let delays = await delays(1, downloader, .development) { continuation in
            for revision in revisions { continuation.yield(ServerUpdate(revision: revision)) }
            continuation.finish()
        }
        #expect(delays == [.seconds(1)])
        #expect(time.sleeps == sleeps.map { Duration.seconds($0) })
        #expect(downloader.requests.count == requests)
    }

    @Test(
        "A server that announces a revision or a boundary before it serves it is asked again",
        arguments: [(["r2"], nil, "r2"), (["r1", "r1@1"], 1, "r1")] as [([String], Double?, String)])
    func aServerThatIsLateIsAskedAgain(updates: [String], boundary: Double?, revision: String) async throws {
        let late = Served.ok(["S": ["a": 1]], meta: ["configuration_revision": "r1"], boundary: boundary)
        let downloader = ScriptedDownloader(served(1, "r1"), late, served(2, revision))
        let client = client(downloader)
        await follow(client, ScriptedUpdates(updates)) { await untilTwo(client) }
        #expect(downloader.requests.count == 3)
    }

    @Test("A response that the client rejects is not requested without end")
    func rejections() async throws {
        let downloader = ScriptedDownloader(served(1, "r1"), Served.bytes(Array("no configuration".utf8)))
        let client = client(downloader)
        try await client.refresh()
        let events = client.events
        await follow(client, ScriptedUpdates(["r2", "r2"])) { await ends(1, events) }
        // Three for each message.
        #expect(downloader.requests.count == 7)
    }

    // MARK: Boundaries

    /// Sends updates as a test says, over one connection.
    private struct LiveUpdates: UpdateSource {
        let stream: AsyncThrowingStream<ServerUpdate, any Error>
        func updates() -> AsyncThrowingStream<ServerUpdate, any Error> { stream }
    }

    @Test(
        "An experiment reaches a following client within a second of its start, and is gone within one of its end",
        .mayHang, arguments: [0, 0.5, 0.999])
    func boundariesReachFollowingClients(chance: Double) async throws {
        let sleep = ManualSleep()
        let (start, end) = (time.now.addingTimeInterval(30), time.now.addingTimeInterval(90))
        var options = ClientOptions(activation: .whenFetched).under(time)
        options.clock.sleep = { try await sleep.sleep($0) }
        options.clock.random = { chance }
        let downloader = ScriptedDownloader { [time] request in
            let isLive = start <= time.now && time.now < end
            let boundary = time.now < start ? start : time.now < end ? end : nil
            return await Served.ok(
                ["S": ["a": isLive ? 2 : 1]],
                assignments: isLive ? ["e": ["variant": "b", "settings": ["S.a"]]] : [:],
                meta: ["configuration_revision": "r1"], boundary: boundary?.timeIntervalSince(time.now))(request)
        }
        let client = ConfigurationClient(downloader: downloader, store: MemoryStore(), options: options)
        let (stream, server) = AsyncThrowingStream.makeStream(of: ServerUpdate.self)
        let following = Task { await client.follow(LiveUpdates(stream: stream)) }
        func announce(_ boundary: String?, _ variant: String?) async throws {
            server.yield(ServerUpdate(revision: "r1", boundary: boundary))
            if chance > 0 {
                time.advance(try #require(await sleep.next()))
                sleep.wake()
            }
            for await configuration in client.updates()
            where configuration.origin == .remote && configuration.assignments["e"]?.variant == variant { break }
        }
        try await announce(nil, nil)
        time.advance(start.timeIntervalSince(time.now))
        try await announce("2026-11-21T12:00:30Z", "b")
        #expect(time.now.timeIntervalSince(start) < 1)
        time.advance(end.timeIntervalSince(time.now))
        try await announce("2026-11-21T12:01:30Z", nil)
        #expect(time.now.timeIntervalSince(end) < 1)
        #expect(client.current.value("S", "a") == 1)
        following.cancel()
        await following.value
        #expect(downloader.requests.count == 3)
    }

    @Test("A client that was not connected when a boundary passed refreshes when it is connected again")
    func boundariesWithoutConnectionAreNoticed() async throws {
        let downloader = ScriptedDownloader(served(1, "r1"))
        let client = client(downloader)
        let events = client.events
        await follow(client, ScriptedUpdates(["r1"], ["r1@1"], ["r1@1"], ["r1@1", "r1@2"], ["r1@2"])) {
            await ends(5, events)
        }
        #expect(downloader.requests.count == 3)
    }

    /// Otherwise each start of each app would cost a request in addition.
    @Test(
        "At the first connection, only a response that is no longer valid is fetched again",
        arguments: [(29.0, 30.0 as Double?, 1), (31.0, 30.0, 2), (43_199.0, nil, 1), (43_200.0, nil, 2)])
    func validResponsesAreKept(age: Double, boundary: Double?, requests: Int) async throws {
        let answer = Served.ok(["S": ["a": 1]], meta: ["configuration_revision": "r1"], boundary: boundary)
        let downloader = ScriptedDownloader(answer)
        let client = client(downloader, ClientOptions())
        try await client.refresh()
        time.advance(age)
        let events = client.events
        await follow(client, ScriptedUpdates(["r1@1"])) { await ends(1, events) }
        #expect(downloader.requests.count == requests)
    }

    @Test("A response that was requested before a boundary is not taken for one after it")
    func requestsFromBeforeABoundaryAreNotEnough() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(Served.held(gate, served(1, "r1")), served(2, "r1"))
        let client = client(downloader)
        let refreshing = Task { try await client.refresh() }
        await gate.arrival()
        await follow(client, ScriptedUpdates(["r1@1"])) {
            for _ in 0..<100 { await Task.yield() }
            gate.open()
            await untilTwo(client)
        }
        _ = try await refreshing.value
        #expect(downloader.requests.count == 2)
    }
}
