import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

struct RefreshTests: ClientSuite {
    let time = TestTime()

    @Test("The next request has the entity tag of the last response")
    func fetchesAndAnswersWithTheTag() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "\"1\""), Served.unchanged)
        let client = client(downloader)
        #expect(client.current.origin == .none)
        #expect(client.current.value("S", "a") == nil)
        #expect(try await client.refresh().outcome == .fetched)
        #expect(client.current.value("S", "a") == 1)
        #expect(client.current.origin == .remote)
        let second = try await client.refresh()
        #expect(second.outcome == .unchanged)
        #expect(!second.isChanged)
        #expect(downloader.requests.map(\.entityTag) == [nil, "\"1\""])
        #expect(client.current.value("S", "a") == 1)
    }

    /// The client's own interval, the server's, the time until the boundary, and when the server is asked again.
    static let limits: [(own: Int, named: Double?, boundary: Double?, limit: Double)] = [
        (43_200, nil, nil, 43_200), (43_200, nil, 39_597, 39_597), (43_200, nil, 86_400, 43_200),
        // A schedule lengthens nothing.
        (2, nil, 39_597, 2), (3600, nil, 7200, 3600), (3600, nil, 30, 30), (3600, nil, 0, 0),
        (3600, nil, 31_536_000, 3600), (2_592_000, nil, 1_000_000, 1_000_000),
        // An interval that the server names does.
        (2, 3600, nil, 3600), (3600, 2, nil, 2), (2, 3600, 7200, 3600), (2, 3600, 60, 60), (3600, 600, 60, 60),
        (2, 1_000_000, nil, 604_800),
        // Senseless numbers count as none.
        (3600, nil, -1, 3600), (3600, nil, .nan, 3600), (3600, nil, .infinity, 3600), (3600, -1, nil, 3600),
    ]

    @Test("A boundary shortens an interval and never lengthens it, also in the next run", arguments: limits.indices)
    func boundariesOnlyShorten(index: Int) async throws {
        let (own, named, boundary, limit) = Self.limits[index]
        let answer = Served.ok(["S": ["a": 1]], interval: named, boundary: boundary)
        let (downloader, store) = (ScriptedDownloader(answer), MemoryStore())
        let options = ClientOptions(activation: .whenFetched, minimumInterval: .seconds(own))
        try await client(downloader, store: store, options).refresh()
        let next = client(downloader, store: store, options)
        if limit > 0 {
            time.advance(limit - 1)
            #expect(try await next.refresh().outcome == .notDue)
            time.advance(1)
        }
        #expect(try await next.refresh().outcome == .fetched)
        #expect(downloader.requests.count == 2)
    }

    @Test("A short interval until a boundary applies once")
    func aShortIntervalAppliesOnce() async throws {
        let downloader = ScriptedDownloader(
            Served.ok(["S": ["a": 1]], tag: "\"1\"", boundary: 30), Served.ok(["S": ["a": 2]], boundary: 3600),
            Served.ok(["S": ["a": 3]], tag: "\"3\"", boundary: 30), Served.unchanged)
        let client = client(downloader, ClientOptions(activation: .whenFetched))
        for (interval, outcome) in [(30.0, RefreshResult.Outcome.fetched), (3600, .fetched), (30, .fetched)] {
            #expect(try await client.refresh().outcome == outcome)
            time.advance(interval - 1)
            #expect(try await client.refresh().outcome == .notDue)
            time.advance(1)
        }
        // A confirmation without a boundary: the client's own interval applies.
        #expect(try await client.refresh().outcome == .unchanged)
        time.advance(12 * 3600 - 1)
        #expect(try await client.refresh().outcome == .notDue)
        time.advance(1)
        #expect(try await client.refresh().outcome == .unchanged)
        #expect(downloader.requests.count == 5)
    }

    /// Two ways to write a value, and whether they are one.
    static let numbers: [(first: String, second: String, isSame: Bool)] = [
        ("1e2", "100.00", true), ("9007199254740993", "9007199254740992", false), ("1", "\"1\"", false),
        ("[1.0, {\"a\": 2e0}]", "[1, {\"a\": 2}]", true), ("{\"a\": 1.0}", "{\"b\": 1}", false),
    ]

    @Test("A number that is written in another way changes nothing for the app", arguments: numbers.indices)
    func numbersAreComparedByValue(index: Int) async throws {
        let (first, second, isSame) = Self.numbers[index]
        func body(_ value: String) -> [UInt8] {
            Array(#"{"config_sections":{"S":{"settings":{"a":{"value":\#(value)}}}},"meta":{"m":\#(value)}}"#.utf8)
        }
        let downloader = ScriptedDownloader(Served.bytes(body(first)), Served.bytes(body(second)))
        let client = client(downloader)
        try await client.refresh()
        let before = client.current
        #expect(try await client.refresh() == RefreshResult(.fetched, isChanged: !isSame))
        #expect((client.current == before) == isSame)
        #expect((client.current["S"] == before["S"]) == isSame)
        #expect((ConfigurationSetting(client.current, "S", "a") == ConfigurationSetting(before, "S", "a")) == isSame)
        let change = ConfigurationChange(from: before, to: client.current)
        #expect(change.isEmpty == isSame)
        #expect(change.settings == (isSame ? [] : ["S.a"]))
        #expect(change.meta == (isSame ? [] : ["m"]))
        // The app reads it as it is written now.
        let written = try JSONValue(parsing: Array(second.utf8))
        #expect(client.current.value("S", "a") == written)
    }

    @Test("An explicit age replaces all intervals")
    func refreshIfOlderThan() async throws {
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]], interval: 100)), ClientOptions())
        #expect(try await client.refresh(ifOlderThan: .seconds(3600)).outcome == .fetched)
        #expect(try await client.refresh(ifOlderThan: .seconds(3600)).outcome == .notDue)
        #expect(try await client.refresh(ifOlderThan: .zero).outcome == .fetched)
        time.advance(99)
        #expect(try await client.refresh().outcome == .notDue)
        #expect(try await client.refresh(ifOlderThan: .seconds(50)).outcome == .fetched)
    }

    @Test("A delay that the server asked for ends when the clock is set back")
    func aThrottleEndsWhenTheClockIsSetBack() async throws {
        let downloader = ScriptedDownloader(Served.status(503, retryAfter: 3600), Served.ok(["S": ["a": 1]]))
        let client = client(downloader)
        await #expect(throws: RefreshError.self) { try await client.refresh() }
        await #expect(throws: RefreshError.throttled(until: time.now.addingTimeInterval(3600))) {
            try await client.refresh()
        }
        time.advance(-TestTime.year)
        #expect(try await client.refresh().outcome == .fetched)
    }

    @Test("Temporary failures are retried, up to the last attempt")
    func temporaryFailuresAreAskedAgain() async throws {
        let downloader = ScriptedDownloader(
            Served.unreachable, Served.status(500), Served.status(429, retryAfter: 7), Served.ok(["S": ["a": 1]]))
        let client = client(downloader)
        #expect(try await client.refresh().outcome == .fetched)
        // A little more than asked.
        #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(7.875)])
        let failing = ScriptedDownloader(Served.unreachable)
        let other = self.client(failing)
        await #expect(throws: RefreshError.self) { try await other.refresh() }
        #expect(failing.requests.count == 4)
    }

    @Test("Permanent failures are not retried", arguments: [400, 401, 403, 404, 501])
    func lastingFailuresAreNot(_ status: Int) async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]), Served.status(status))
        let client = client(downloader)
        try await client.refresh()
        let error = await #expect(throws: RefreshError.self) { try await client.refresh() }
        #expect("\(try #require(error))".contains("\(status)"))
        #expect(downloader.requests.count == 2)
        #expect(time.sleeps.isEmpty)
        #expect(client.current.value("S", "a") == 1)
    }

    @Test("Delays double up to the longest, with jitter")
    func delaysDoubleUpToTheLongestAndAreJittered() {
        func delay(_ failures: Int, random: Double) -> Double {
            RetryPolicy().delay(afterFailures: failures, random: random)
        }
        #expect((1...8).map { delay($0, random: 0.5) } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(delay(3, random: 0) == 2)
        #expect((5.9..<6).contains(delay(3, random: 0.999)))
    }

    @Test(
        "A response that is not a configuration is rejected",
        arguments: [
            "<!DOCTYPE html><html><body>Please log in</body></html>", "", "[]", "{}",
            #"{"meta":{},"config_sections":{}}"#, #"{"config_sections":{"S":{"settings":{"a":{"value":2}}}}}"#,
            #"{"meta":{},"config_sections":{"S":{"settings":{"a":{"val"#, "\u{0}",
        ])
    func otherResponsesAreRejected(_ body: String) async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "\"1\""), Served.bytes(Array(body.utf8)))
        let store = MemoryStore()
        let client = client(downloader, store: store)
        try await client.refresh()
        let error = await #expect(throws: RefreshError.self) { try await client.refresh() }
        guard case .rejected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(client.current.value("S", "a") == 1)
        #expect(self.client(downloader, store: store).current.value("S", "a") == 1)
    }

    @Test("A status 304 to a request without an entity tag is an error")
    func a304WithoutATagIsAnError() async {
        let client = client(ScriptedDownloader(Served.unchanged))
        await #expect(throws: RefreshError.self) { try await client.refresh() }
    }

    @Test("A thousand callers share one request and its result", arguments: [200, 404])
    func aThousandCallersShareOneRequest(status: Int) async throws {
        let gate = Gate()
        let answer = status == 200 ? Served.ok(["S": ["a": 1]]) : Served.status(status)
        let downloader = ScriptedDownloader(Served.held(gate, answer))
        let client = client(downloader)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    do {
                        let result = try await client.refresh()
                        return "\(result.outcome)"
                    } catch { return "\(error)" }
                }
            }
            await gate.arrival()
            gate.open()
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        // Those who come after the answer ask anew: the interval is 0.
        #expect(outcomes.count == 1000)
        #expect(outcomes.allSatisfy { $0.contains(status == 200 ? "fetched" : "status 404") })
        #expect(downloader.requests.count < 1000)
    }

    @Test("A cancelled caller does not end the request of others")
    func oneWhoGoesDoesNotEndTheRequestOfOthers() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(Served.held(gate, Served.ok(["S": ["a": 1]])))
        let client = client(downloader)
        let impatient = Task { try await client.refresh() }
        await gate.arrival()
        let patient = Task { try await client.refresh() }
        impatient.cancel()
        await #expect(throws: RefreshError.cancelled) { try await impatient.value }
        gate.open()
        #expect(try await patient.value.outcome == .fetched)
    }

    @Test("The late response of an abandoned request is not used")
    func aLateAnswerOfAGivenUpRequestIsNotUsed() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(
            Served.held(gate, Served.ok(["S": ["a": "old"]])), Served.ok(["S": ["a": "new"]]))
        let client = client(downloader)
        let impatient = Task { try await client.refresh() }
        await gate.arrival()
        impatient.cancel()
        await #expect(throws: RefreshError.cancelled) { try await impatient.value }
        try await client.refresh()
        gate.open()
        for _ in 0..<1000 { await Task.yield() }
        #expect(client.current.value("S", "a") == "new")
    }

    @Test("A status 304 confirms only the configuration that the request named")
    func a304IsForWhatWasAskedAbout() async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(
            Served.ok(["S": ["a": "DE"]], tag: "1"), Served.held(gate, Served.unchanged),
            Served.ok(["S": ["a": "AT"]], tag: "2"), Served.ok(["S": ["a": "DE again"]], tag: "1"))
        let client = client(downloader)
        let (german, austrian) = (
            ConfigurationUser("u", attributes: ["country": "DE"]), ConfigurationUser("u", attributes: ["country": "AT"])
        )
        client.setUser(german)
        try await client.refresh()
        async let late = client.refresh()
        await gate.arrival()
        client.setUser(austrian)
        try await client.refresh()
        client.setUser(german)
        gate.open()
        #expect(try await late.outcome == .fetched)
        #expect(client.current.value("S", "a") == "DE again")
        #expect(downloader.requests.map(\.entityTag) == [nil, "1", "1", nil])
    }

    /// The server confirms it before the next run, or asks for a delay.
    @Test(
        "A configuration that could not be stored is stored when it is confirmed, or else fetched by the next run",
        arguments: [true, false])
    func whatWasNotKeptIsKeptLater(isConfirmed: Bool) async throws {
        let store = FaultyStore()
        let downloader = ScriptedDownloader(
            Served.ok(["S": ["a": 1]]), Served.ok(["S": ["a": 2]], tag: "2"),
            isConfirmed ? Served.unchanged : Served.status(503, retryAfter: 100), Served.ok(["S": ["a": 2]]))
        try await client(downloader, store: store, ClientOptions()).refresh()
        let second = client(downloader, store: store, ClientOptions())
        store.failWriting()
        #expect(try await second.refresh(ifOlderThan: .zero).storeError != nil)
        store.failWriting(false)
        let (third, due): (RefreshResult.Outcome?, RefreshResult.Outcome) =
            isConfirmed ? (.unchanged, .notDue) : (nil, .fetched)
        let outcome = try? await second.refresh(ifOlderThan: .zero).outcome
        #expect(outcome == third)
        time.advance(100)
        let next = client(downloader, store: store, ClientOptions())
        if isConfirmed { #expect(next.current.value("S", "a") == 2) }
        #expect(try await next.refresh().outcome == due)
    }

    @Test(
        "A wrong clock neither blocks requests nor keeps an old configuration",
        arguments: [ClientOptions.Activation.atStart, .byCall, .whenFetched], [TestTime.year, -TestTime.year])
    func aClockThatIsSetWrong(activation: ClientOptions.Activation, jump: Double) async throws {
        let store = MemoryStore()
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]]), Served.ok(["S": ["a": 2]]))
        let options = ClientOptions(activation: activation)
        func next() -> ConfigurationClient {
            let client = client(downloader, store: store, options)
            client.activate()
            return client
        }
        try await client(downloader, store: store, options).refresh()
        let second = next()
        #expect(second.current.value("S", "a") == 1)
        time.advance(jump)
        #expect(try await second.refresh().outcome == .fetched)
        #expect(next().current.value("S", "a") == 2)
        #expect(next().current.value("S", "a") == 2)
    }

    @Test("A configuration that the server confirms for other attributes was decided for those")
    func confirmedForOtherAttributes() async throws {
        let store = MemoryStore()
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "1"), Served.unchanged)
        let client = client(downloader, store: store)
        client.setUser(ConfigurationUser("u", attributes: ["org": "acme"]))
        try await client.refresh()
        client.activate()
        let moved = ConfigurationUser("u", attributes: ["org": "globex"])
        client.setUser(moved)
        #expect(client.current.decidedFor["org"] == "acme")
        #expect(try await client.refresh().outcome == .unchanged)
        #expect(client.current.decidedFor["org"] == "globex")
        let next = ConfigurationClient(
            downloader: downloader, store: store, user: moved, options: ClientOptions.development.under(time))
        #expect(next.current.decidedFor["org"] == "globex")
    }

    @Test("A delay that the server asked for applies to all users, also to a new one", arguments: [true, false])
    func refusalsAreForAllUsers(isSetMeanwhile: Bool) async throws {
        let gate = Gate()
        let downloader = ScriptedDownloader(Served.held(gate, Served.status(429, retryAfter: 3600)))
        let client = client(downloader)
        let first = Task { try await client.refresh() }
        await gate.arrival()
        if isSetMeanwhile { client.setUser(ConfigurationUser("another")) }
        gate.open()
        _ = await first.result
        client.setUser(ConfigurationUser("another"))
        await #expect(throws: RefreshError.throttled(until: time.now.addingTimeInterval(3600))) {
            try await client.refresh()
        }
        #expect(downloader.requests.count == 1)
    }

    @Test("A confirmation counts after a restart")
    func aConfirmationCountsAfterARestart() async throws {
        let downloader = ScriptedDownloader(Served.ok(["S": ["a": 1]], tag: "1"), Served.unchanged)
        let store = MemoryStore()
        let options = ClientOptions(activation: .whenFetched)
        let first = client(downloader, store: store, options)
        try await first.refresh()
        time.advance(100_000)
        try await first.refresh()
        #expect(client(downloader, store: store, options).current.fetchedAt == time.now)
    }

    @Test("Senseless numbers from servers do no harm", arguments: [Double.nan, .infinity, -1, 1e300])
    func senselessNumbersOfServersDoNoHarm(_ number: Double) async throws {
        let downloader = ScriptedDownloader(
            Served.ok(["S": ["a": 1]], interval: number), Served.status(503, retryAfter: number),
            Served.ok(["S": ["a": 2]]))
        let client = client(downloader, ClientOptions(activation: .whenFetched))
        try await client.refresh()
        time.advance(8 * 86_400)
        _ = try? await client.refresh()
        time.advance(2 * 86_400)
        try await client.refresh()
        #expect(client.current.value("S", "a") == 2)
    }

    @Test("A request without callers is cancelled")
    func aRequestWithoutCallersIsGivenUp() async throws {
        let downloader = ScriptedDownloader({ _ in
            while !Task.isCancelled { await Task.yield() }
            return .failure(RequestError(.cancelled, "cancelled"))
        })
        let client = client(downloader)
        let task = Task { try await client.refresh() }
        while downloader.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: RefreshError.cancelled) { try await task.value }
        downloader.answer(Served.ok(["S": ["a": 1]]))
        #expect(try await client.refresh().outcome == .fetched)
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
