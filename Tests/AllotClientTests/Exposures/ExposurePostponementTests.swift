import AllotConfiguration
import TestSupport
import Testing

@testable import AllotClient

/// Events that the server does not accept now, or never.
@Suite(.mayHang) struct ExposurePostponementTests {
    @Test("An event that the server does not accept yet is sent again after growing delays, and holds up no others")
    func postponedEventsAreSentAgain() async throws {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        server.refuse { $0.experiment == "new" ? .postponed("there is no experiment new") : nil }
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep))
        let reports = reporter.events
        reporter.record("new", units: 0..<1)
        reporter.record("search", units: 0..<3)
        #expect(await sleep.next() == 10)
        sleep.wake()
        for delay in [10.0, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600] {
            #expect(await sleep.next() == delay)
            #expect(reporter.waitingCount == 1)
            sleep.wake()
        }
        #expect(await sleep.next() == 3600)
        #expect(server.stored.map(\.experiment) == ["search", "search", "search"])
        #expect(server.requests.map(\.count) == [4] + Array(repeating: 1, count: 11))
        // Others are sent as usual meanwhile, without it.
        reporter.record("search", units: 3..<4)
        #expect(await sleep.next() == 10)
        server.refuse { _ in nil }
        sleep.wake()
        await reporter.flush()
        #expect(server.stored.map(\.experiment).suffix(2).sorted() == ["new", "search"])
        await reporter.shutdown()
        var postponed = 0
        for await report in reports {
            if case .postponed(let count, let reason) = report {
                #expect(count == 1)
                #expect(reason == "there is no experiment new")
                postponed += 1
            }
            if case .dropped = report { Issue.record("an event was dropped") }
        }
        #expect(postponed == 12)
    }

    @Test("Recording more does not send a postponed event earlier")
    func moreEventsSendNoPostponedOnes() async throws {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        server.refuse { $0.experiment == "new" ? .postponed("not yet") : nil }
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep, batchSize: 2))
        var reports = reporter.events.makeAsyncIterator()
        var sent = 0
        func until(_ total: Int) async {
            while sent < total, let report = await reports.next() {
                if case .sent(let count, _) = report { sent += count }
            }
        }
        reporter.record("new", units: 0..<3)
        for start in stride(from: 0, to: 40, by: 2) {
            reporter.record("search", units: start..<start + 2)
            await until(start + 2)
        }
        #expect(server.stored.count == 40)
        #expect(server.requests.joined().count { $0.experiment == "new" } == 3)
    }

    @Test("A postponed event survives a restart, and a rejected one is deleted")
    func postponedEventsSurviveARestart() async throws {
        let folder = try TemporaryFolder()
        let server = FakeExposureServer()
        server.refuse { event in
            switch event.experiment {
            case "new": .postponed("not yet")
            case "bad": .rejected("the unit is malformed")
            default: nil
            }
        }
        var dropped: [String] = []
        for _ in 0..<3 {
            let reporter = ExposureReporter.make(folder.path, server)
            let reports = reporter.events
            reporter.record("new", units: 0..<2)
            reporter.record("bad", units: 0..<1)
            reporter.record("search", units: 0..<2)
            await reporter.shutdown()
            #expect(server.stored.map(\.experiment) == ["search", "search"])
            for await case .dropped(let event, let why) in reports { dropped.append("\(event.experiment): \(why)") }
        }
        #expect(dropped == ["bad: the unit is malformed"])
        server.refuse { _ in nil }
        let reporter = ExposureReporter.make(folder.path, server)
        await reporter.flush()
        #expect(server.stored.map(\.experiment) == ["search", "search", "new", "new"])
        #expect(reporter.waitingCount == 0)
    }

    /// Only an answer to an event by itself says that it is never taken.
    @Test("A batch that is refused as a whole loses no event", arguments: [400, 413, 422])
    func refusedBatchesLoseNothing(status: Int) async throws {
        let folder = try TemporaryFolder()
        let server = FakeExposureServer()
        server.behave { _ in .fails(.status(status)) }
        let reporter = ExposureReporter.make(folder.path, server)
        for number in 0..<60 {
            reporter.record([3, 4, 59].contains(number) ? "bad" : "good", units: number..<number + 1)
        }
        for round in 1...20 {
            await reporter.flush()
            #expect(server.requests.count <= 20 * round)
        }
        #expect(reporter.waitingCount == 60)
        server.behave { events in events.contains { $0.experiment == "bad" } ? .fails(.status(status)) : .answer }
        for _ in 0..<5 { await reporter.flush() }
        #expect(server.stored.count == 57)
        #expect(reporter.waitingCount == 3)
        await reporter.shutdown()
        server.behave { _ in .answer }
        let next = ExposureReporter.make(folder.path, server)
        await next.flush()
        #expect(server.stored.count == 60)
    }

    @Test("A server that stops accepting events is sent ever fewer, and loses none")
    func aServerThatStopsAcceptingLosesNothing() async throws {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        server.behave { events in events.contains { $0.unit == "0" } ? .answer : .fails(.status(400)) }
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep))
        // A subscriber misses the oldest of more than 256 reports, and each event is reported when it is recorded.
        let reports = reporter.reports.subscribe(buffering: .unbounded)
        reporter.record("search", units: 0..<1000)
        for _ in 0..<40 {
            _ = await sleep.next()
            sleep.wake()
        }
        await reporter.flush()
        #expect(server.stored.count == 100)
        #expect(reporter.waitingCount == 900)
        server.behave { _ in .answer }
        await reporter.flush()
        #expect(server.stored.count == 1000)
        await reporter.shutdown()
        var delays: [Double] = []
        for await report in reports { if case .failed(_, let delay?) = report { delays.append(delay.inSeconds) } }
        #expect(delays.prefix(9) == [10, 20, 40, 80, 160, 320, 640, 1280, 2560])
        #expect(delays.dropFirst(9).allSatisfy { $0 == 3600 })
    }

    @Test("Many consecutive events that no server reads hold up neither new ones nor postponed ones")
    func manyBadEventsHoldUpNoOthers() async throws {
        let server = FakeExposureServer()
        server.behave { events in events.contains { $0.experiment == "bad" } ? .fails(.status(400)) : .answer }
        server.refuse { $0.experiment == "new" ? .postponed("not yet") : nil }
        let reporter = ExposureReporter.make(nil, server)
        reporter.record("bad", units: 0..<20)
        reporter.record("new", units: 0..<3)
        reporter.record("good", units: 0..<40)
        for _ in 0..<3 { await reporter.flush() }
        #expect(server.stored.count == 40)
        server.refuse { _ in nil }
        for _ in 0..<4 { await reporter.flush() }
        #expect(server.stored.count == 43)
        #expect(reporter.waitingCount == 20)
    }
}
