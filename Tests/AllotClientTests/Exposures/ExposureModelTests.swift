import AllotConfiguration
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotClient

/// Random histories of a reporter that crashes and of a server that fails, compared with a list of what was recorded.
@Suite(.mayHang) struct ExposureModelTests {
    /// Whatever happens, each exposure that was recorded reaches the server as one event, and nothing else does.
    @Test("No event is lost, sent twice without cause, or invented", arguments: 0..<60)
    func nothingIsLostSentTwiceOrInvented(seed: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("queue")
        var random = SeededGenerator(seed: seed)
        let server = FakeExposureServer()
        let sleep = ManualSleep()
        let options = ExposureFixture.options(sleep, batchSize: Int.random(in: 1...20, using: &random))
        var reporter: ExposureReporter? = .make(path, server, options)
        var recorded: Set<String> = []
        server.behave(Self.poisoned { _ in .answer })
        server.refuse { event in
            switch event.experiment {
            case "malformed": .rejected("it is malformed")
            case "new": .postponed("there is no experiment new")
            default: nil
            }
        }

        for _ in 0..<80 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11:
                let (unit, experiment) = Self.exposure(using: &random)
                reporter?.record(ExposureFixture.assignment(experiment), in: ExposureFixture.configuration(unit))
                recorded.insert("\(unit) \(experiment)")
            case 11..<14:
                server.behave(Self.behaviour(using: &random))
                await reporter?.flush()
            case 14..<16:
                sleep.wake()
            case 16:
                // Ends in the middle of a request, which the server takes or does not.
                server.behave(Self.behaviour(using: &random))
                server.close()
                if let reporter, reporter.waitingCount > 0 { await Self.untilHeld(server, sleep) }
                reporter = nil
                server.open()
                reporter = .make(path, server, options)
            case 17..<19:
                reporter = nil
                reporter = .make(path, server, options)
            default:
                server.behave(Self.behaviour(using: &random))
                await reporter?.shutdown()
                reporter = nil
                reporter = .make(path, server, options)
            }
        }
        // What the server accepts is stored, whatever else waits.
        let last = try #require(reporter)
        func settle(_ waiting: Int) async {
            for _ in 0..<1000 where last.waitingCount > waiting {
                // A pause that the server asked for may have to be entered first.
                await Task.yield()
                sleep.wake()
                await last.flush()
            }
            #expect(last.waitingCount == waiting)
        }
        func count(_ experiment: String) -> Int { recorded.count { $0.hasSuffix(experiment) } }
        server.behave(Self.poisoned { _ in .answer })
        await settle(count("new") + count("poison"))
        server.refuse { $0.experiment == "malformed" ? .rejected("it is malformed") : nil }
        await settle(count("poison"))
        server.behave { _ in .answer }
        await settle(0)

        let good = recorded.filter { !$0.hasSuffix("malformed") }
        let stored = server.stored.map { "\($0.unit) \($0.experiment)" }
        #expect(Set(stored) == good)
        #expect(stored.count == good.count)
        #expect(try folder.names() == ["queue"])
    }

    private static func exposure(using random: inout SeededGenerator) -> (unit: String, experiment: String) {
        let experiments = ["checkout-button", "search", "malformed", "new", "poison"]
        let weights = [0, 0, 0, 0, 1, 1, 1, 2, 3, 4]
        let experiment = experiments[weights[Int.random(in: 0..<10, using: &random)]]
        return ("user-\(Int.random(in: 0..<60, using: &random))", experiment)
    }

    /// Refuses all events of a batch with one that no server can read.
    private static func poisoned(
        _ behaviour: @escaping @Sendable ([ExposureEvent]) -> FakeExposureServer.Behaviour
    ) -> @Sendable ([ExposureEvent]) -> FakeExposureServer.Behaviour {
        { events in events.contains { $0.experiment == "poison" } ? .fails(.status(400)) : behaviour(events) }
    }

    /// What a server might do to the requests that come.
    private static func behaviour(
        using random: inout SeededGenerator
    ) -> @Sendable ([ExposureEvent]) -> FakeExposureServer.Behaviour {
        let most = Int.random(in: 1...10, using: &random)
        let generator = Mutex(SeededGenerator(seed: random.next()))
        return poisoned { events in
            if events.count > most { return .fails(.status(413)) }
            return generator.withLock { random in
                switch Int.random(in: 0..<16, using: &random) {
                case 0: .losesAnswer
                case 1: .fails(.status(500))
                case 2: .fails(.status(429, retryAfter: 7))
                case 3: .fails(.status(401))
                case 4: .fails(RequestError(.malformed, "a portal"))
                case 5: .fails(RequestError(.unreachable, "no network"))
                default: .answer
                }
            }
        }
    }

    /// Ends the pause, and waits for the request that begins.
    private static func untilHeld(_ server: FakeExposureServer, _ sleep: ManualSleep) async {
        // A timer that was started may not sleep yet; without one there is nothing to wait for.
        guard sleep.wake() > 0 else { return }
        // The one that was woken may be that of postponed events, which waits for another one to end.
        while !server.isHolding, !Task.isCancelled {
            await Task.yield()
            sleep.wake()
        }
    }

    /// A disk that is full now and then loses nothing while the process lives.
    @Test("A full disk loses no exposure", arguments: 0..<30)
    func aFullDiskLosesNothing(seed: Int) async throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: seed)
        let disk = FaultyDisk(seed: random.next())
        let server = FakeExposureServer()
        let options = ExposureFixture.options(batchSize: 7)
        let reporter = ExposureReporter.make(folder.path("queue"), server, options, write: disk.write)
        for number in 0..<100 {
            disk.isFaulty.withLock { $0 = Bool.random(using: &random) }
            reporter.record(ExposureFixture.assignment(), in: ExposureFixture.configuration("user-\(number)"))
            if Int.random(in: 0..<20, using: &random) == 0 { await reporter.flush() }
        }
        // What the disk took now outlives the process.
        disk.isFaulty.withLock { $0 = false }
        server.behave { _ in .fails(.status(503)) }
        reporter.record(ExposureFixture.assignment(), in: ExposureFixture.configuration("user-100"))
        await reporter.flush()
        #expect(reporter.waitingCount > 0)
        await reporter.shutdown()
        server.behave { _ in .answer }
        let next = ExposureReporter.make(folder.path("queue"), server, options)
        await next.flush()
        #expect(Set(server.stored.map(\.unit)) == Set((0...100).map { "user-\($0)" }))
        #expect(server.stored.count == 101)
    }
}

/// Writes whole, in part or not at all.
final class FaultyDisk: Sendable {
    let isFaulty = Mutex(false)
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) { random = Mutex(SeededGenerator(seed: seed)) }

    @Sendable func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        guard isFaulty.withLock({ $0 }) else { return LockedFile.append(descriptor, bytes) }
        let count = random.withLock { Int.random(in: 0..<bytes.count, using: &$0) }
        if count.isMultiple(of: 2) { return -Int(ENOSPC) }
        return LockedFile.append(descriptor, Array(bytes.prefix(count)))
    }
}
