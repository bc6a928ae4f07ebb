import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

@Suite(.mayHang) struct ExposureReporterTests {
    /// Whatever the variant is for, an experiment without a unit exposes nothing.
    @Test("An exposure of a user without a unit ID is refused, and an experiment without a unit has none")
    func withoutUnit() async throws {
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(nil, server)
        var events = reporter.events.makeAsyncIterator()
        for reason in ["everyone", "winner", "override"] {
            reporter.record(
                ExposureFixture.assignment(unit: "none", reason: reason),
                in: ExposureFixture.configuration(attributes: ["none": "u"]))
        }
        let assignment = ExposureFixture.assignment()
        reporter.record(assignment, in: Configuration.empty)
        guard case .refused(let refusal)? = await events.next() else { return #expect(Bool(false), "no refusal") }
        #expect(refusal == ExposureRefusal(assignment: assignment, reason: .noUnit("user_id")))
        #expect(reporter.waitingCount == 0)
    }

    /// One experiment, salt, unit and variant is one exposure, in this run and the next; one that is not counted is
    /// another.
    @Test("An exposure is recorded once, across runs")
    func exposuresAreRecordedOnce() async throws {
        let folder = try TemporaryFolder()
        let server = FakeExposureServer()
        let assignments = [
            ExposureFixture.assignment(), ExposureFixture.assignment("checkout-button", "blue"),
            ExposureFixture.assignment(revision: "2"), ExposureFixture.assignment(revision: nil),
            ExposureFixture.assignment(salt: "checkout-button"), ExposureFixture.assignment(salt: "again"),
            ExposureFixture.assignment(reason: "winner"), ExposureFixture.assignment(reason: "override"),
            ExposureFixture.assignment(reason: "forced"), ExposureFixture.assignment("search"),
        ]
        for _ in 0..<3 {
            let reporter = ExposureReporter.make(folder.path, server)
            for assignment in assignments + assignments {
                // One text in two forms of Unicode is two units.
                for user in ["\u{E9}", "e\u{301}"] {
                    reporter.record(assignment, in: ExposureFixture.configuration(user))
                }
            }
            await reporter.shutdown()
        }
        #expect(server.stored.count == 10)
        #expect(server.deliveries == 10)
        #expect(
            Set(server.stored.map { "\($0.variant) \($0.salt ?? "") \($0.reason)" }) == [
                "green checkout-button split", "blue checkout-button split", "green again split",
                "green checkout-button override", "green search split",
            ])
    }

    /// Reading one setting from many threads is one event.
    @Test("Concurrent readings are one event")
    func concurrentReadsAreOneEvent() async throws {
        let folder = try TemporaryFolder()
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(folder.path, server)
        func configuration() -> Configuration {
            Configuration(
                SnapshotTests.document, user: ConfigurationUser("u"), origin: .remote, fetchedAt: nil,
                overrides: LocalOverrides(), recorder: reporter)
        }
        let shared = configuration()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let read = number.isMultiple(of: 2) ? shared : configuration()
                    #expect(read.value("Checkout", "ButtonColor") == "#00aa00")
                    #expect(read.value("Search", "PageSize") == 24)
                }
            }
        }
        await reporter.flush()
        #expect(server.stored.map(\.experiment) == ["checkout-button"])
        #expect(server.deliveries == 1)
    }

    @Test("A full queue refuses exposures until there is room")
    func aFullQueueRefuses() async throws {
        let folder = try TemporaryFolder()
        let server = FakeExposureServer()
        server.behave { _ in .fails(.status(503)) }
        let reporter = ExposureReporter.make(folder.path, server, ExposureFixture.options(queueLimit: 10))
        let reports = reporter.events
        reporter.record(units: 0..<25)
        #expect(reporter.waitingCount == 10)
        server.behave { _ in .answer }
        await reporter.flush()
        // A refused exposure was not recorded: there is room again.
        reporter.record(units: ["24"])
        await reporter.shutdown()
        var refused = 0
        for await report in reports {
            if case .refused(let refusal) = report {
                #expect(refusal.reason == .queueFull)
                refused += 1
            }
        }
        #expect(refused == 15)
        #expect(server.stored.map(\.unit) == (0..<10).map { "\($0)" } + ["24"])
        reporter.record(units: ["late"])
        #expect(reporter.waitingCount == 0)
    }

    /// Otherwise the unit would not be counted as long as the snapshot lives.
    @Test("A reading that a full queue refuses is recorded when it is repeated, once there is room")
    func aRefusedReadingIsRecordedLater() async throws {
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(queueLimit: 1))
        #expect(reporter.record(ExposureFixture.assignment("search"), in: ExposureFixture.configuration("1")))
        let configuration = Configuration(
            SnapshotTests.document, user: ConfigurationUser("2"), origin: .remote, fetchedAt: nil,
            overrides: LocalOverrides(), recorder: reporter)
        #expect(configuration.value("Checkout", "ButtonColor") == "#00aa00")
        await reporter.flush()
        #expect(server.stored.map(\.unit) == ["1"])
        for _ in 0..<3 { #expect(configuration.value("Checkout", "ButtonColor") == "#00aa00") }
        await reporter.flush()
        #expect(server.stored.map(\.unit) == ["1", "2"])
        #expect(server.deliveries == 2)
    }

    // MARK: When it sends

    @Test("Events are sent after the delay or when a batch is full")
    func sendsAfterTheDelayOrWhenABatchIsFull() async throws {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep, batchSize: 3))
        var reports = reporter.events.makeAsyncIterator()
        func untilSent() async -> Int? {
            while let report = await reports.next() { if case .sent(let count, _) = report { return count } }
            return nil
        }
        reporter.record(units: ["1"])
        #expect(await sleep.next() == 10)
        #expect(server.requests.isEmpty)
        sleep.wake()
        #expect(await untilSent() == 1)
        reporter.record(units: 2..<5)
        #expect(await untilSent() == 3)
        #expect(server.stored.count == 4)
    }

    /// Pauses grow, and end only when they end: recording more does not send earlier.
    @Test("The delays after failures double")
    func aFailingServerIsAskedEverMoreSeldom() async throws {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        server.behave { _ in .fails(.status(500)) }
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep, batchSize: 1))
        reporter.record(units: ["first"])
        var pauses: [Double] = []
        for number in 0..<12 {
            try pauses.append(#require(await sleep.next()))
            reporter.record(ExposureFixture.assignment(), in: ExposureFixture.configuration("\(number)"))
            sleep.wake()
        }
        #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600])
        _ = await sleep.next()
        #expect(server.requests.count == 13)
        #expect(reporter.waitingCount == 13)
    }

    @Test(
        "A failure loses no event and is retried after its delay",
        arguments: [
            (RequestError.status(429, retryAfter: 100), 100...125),
            (.status(503, retryAfter: 80_000), 80_000...100_000), (.status(503, retryAfter: 1e9), 86_400...108_000),
            (.status(503, retryAfter: 1), 5...15), (.status(503, retryAfter: 0), 5...15), (.status(408), 5...15),
            (.status(401), 5...15), (.status(403), 1800...5400), (.status(404), 1800...5400),
            (.status(301), 1800...5400),
            (RequestError(.malformed, "a portal"), 5...15), (RequestError(.unreachable, "no network"), 5...15),
            (RequestError(.timedOut, "late"), 5...15),
        ] as [(RequestError, ClosedRange<Double>)])
    func nothingIsLostToAFailure(error: RequestError, pauses: ClosedRange<Double>) async throws {
        for chance in [0, 0.5, 0.999] {
            let sleep = ManualSleep()
            let server = FakeExposureServer()
            server.behave { _ in .fails(error) }
            var options = ExposureFixture.options(sleep, batchSize: 4)
            options.clock.random = { chance }
            let reporter = ExposureReporter.make(nil, server, options)
            var reports = reporter.events.makeAsyncIterator()
            reporter.record(units: 0..<4)
            var pause: Double?
            while pause == nil, let report = await reports.next() {
                if case .failed(let reported, let delay) = report {
                    #expect(reported == error)
                    pause = delay.map { $0 / .seconds(1) }
                }
            }
            #expect(try pauses.contains(#require(pause)))
            #expect(reporter.waitingCount == 4)
            #expect(server.requests.count <= 7)
            // A flush does not wait for a pause of its own, but for one that the server asked for.
            server.behave { _ in .answer }
            await reporter.flush()
            #expect(reporter.waitingCount == ((error.retryAfter ?? 0) > 0 ? 4 : 0))
        }
    }

    /// Events of a clock that is a year ahead, which the server refuses, are moved to its time.
    @Test("Events of a clock that is ahead are moved to the server's time")
    func aClockAheadIsPutRight() async throws {
        let server = FakeExposureServer()
        let serverTime = ExposureFixture.now.addingTimeInterval(-365 * 86_400)
        server.setTime(serverTime)
        server.refuse {
            ISO8601Date.date($0.at).map { $0 > serverTime } == true ? .postponed("at is in the future") : nil
        }
        let reporter = ExposureReporter.make(nil, server)
        reporter.record(units: ["1"])
        await reporter.flush()
        #expect(server.stored.map(\.at) == ["2025-11-21T12:00:00.000Z"])
        #expect(server.stored.first?.attributes["clock_correction"] == -31_536_000)
        // What the server rejects nevertheless is dropped, and not moved for ever.
        server.refuse { _ in .rejected("no") }
        reporter.record(ExposureFixture.assignment("search"), in: ExposureFixture.configuration("1"))
        await reporter.flush()
        #expect(reporter.waitingCount == 0)
        #expect(server.requests.count == 4)
    }

    /// An answer that does not account for each event, as a portal may give one, loses none.
    @Test(
        "An answer that does not account for all events is an error",
        arguments: [
            (3, 0, []), (0, 3, []), (4, 1, []), (3, 0, [4]), (3, 0, [-1]), (2, 0, [1, 1]), (5, -1, []), (-1, 5, []),
            (.max, 1, []), (.max, .max, [0]), (0, 0, []),
        ] as [(Int, Int, [Int])]) func anAnswerAccountsForAll(stored: Int, duplicates: Int, failures: [Int])
        async throws
    {
        struct Fixed: ExposureSender {
            let answer: ExposureAnswer
            func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer { answer }
        }
        let answer = ExposureAnswer(
            stored: stored, duplicates: duplicates, failures: Dictionary(failures.map { ($0, .rejected("no")) }) { $1 })
        let reporter = ExposureReporter(
            folder: nil, sender: Fixed(answer: answer), options: ExposureFixture.options(), write: LockedFile.append)
        var reports = reporter.events.makeAsyncIterator()
        for number in 0..<4 {
            reporter.record(ExposureFixture.assignment(), in: ExposureFixture.configuration("\(number)"))
            _ = await reports.next()
        }
        await reporter.flush()
        #expect(reporter.waitingCount == 4)
        guard case .failed(let error, _)? = await reports.next() else { return #expect(Bool(false), "no failure") }
        #expect(error.kind == .malformed)
        #expect(error.isTemporary)
    }

    /// What was reported before someone listens comes first, however many threads report meanwhile.
    @Test("Reports arrive in order, including early ones")
    func reportsComeInOrder() async {
        for _ in 0..<200 {
            let reports = ExposureReports()
            for count in 1...20 { reports.send(.adopted(count: count)) }
            let sending = Task { for count in 21...40 { reports.send(.adopted(count: count)) } }
            let stream = reports.subscribe()
            await sending.value
            reports.finish()
            var counts: [Int] = []
            for await report in stream { if case .adopted(let count) = report { counts.append(count) } }
            #expect(counts == Array(1...40))
        }
    }
}
