import AllotConfiguration
import AllotCore
import AllotExposures
import Logging
import TestSupport
import Testing

@testable import AllotServing

/// Exposures that are deleted after the time of retention.
@Suite(.mayHang) struct RetentionTests {
    private static let day: Int64 = 86_400_000

    /// By the clock and the newest exposure, in days, the ends of what is deleted in each run and of what it announces;
    /// the retention is 30 days.
    static let clocks: [(String, [(now: Int64, newest: Int64)], [(due: Int64?, announced: Int64)])] = [
        ("from day to day", [(100, 100), (101, 100), (102, 102)], [(nil, 70), (70, 70), (70, 72)]),
        ("a clock that jumps ahead", [(100, 100), (500, 100), (500, 100)], [(nil, 70), (70, 70), (70, 70)]),
        (
            "a clock that jumps ahead while exposures arrive, and is set right",
            [(100, 100), (500, 500), (100, 500), (100, 500)], [(nil, 70), (70, 470), (70, 70), (70, 70)]
        ),
        ("a clock that is behind", [(0, 100), (0, 100)], [(nil, -30), (-30, -30)]),
        ("no exposures for long", [(100, 50), (200, 50)], [(nil, 20), (20, 20)]),
    ]

    @Test("A run deletes what was announced and is old by the newest exposure", arguments: 0..<5)
    func ends(number: Int) {
        let (name, runs, expected) = Self.clocks[number]
        var purge = RetentionPurge(.seconds(30 * 86_400))
        for (run, expected) in zip(runs, expected) {
            let found = purge.next(now: run.now * Self.day, newest: run.newest * Self.day)
            #expect(found.due == expected.due.map { $0 * Self.day }, "\(name)")
            #expect(found.announced == expected.announced * Self.day, "\(name)")
            purge.announced = found.announced
        }
    }

    @Test("A run that announced nothing, because it failed, lets the next delete nothing")
    func failedRuns() {
        let purge = RetentionPurge(.seconds(30 * 86_400))
        for _ in 0..<2 { #expect(purge.next(now: 100 * Self.day, newest: 100 * Self.day).due == nil) }
    }

    @Test("A run deletes some of what is due, and not more than its limit unless they have one time", arguments: 0..<40)
    func bounds(seed: Int) async {
        var random = SeededGenerator(seed: seed)
        let range = [1, 10, 1000, 1_000_000_000][seed % 4]
        let times = (0..<Int.random(in: 1..<200, using: &random)).map { _ in
            Int64.random(in: 0..<Int64(range), using: &random)
        }
        let end = Int64.random(in: 1...Int64(range), using: &random)
        let limit = RetentionPurge.limit(of: times.count)
        func count(_ time: Int64) -> Int { times.count { $0 < time } }
        let earliest = times.min() ?? 0
        let bound = await RetentionPurge.bound(end, earliest: earliest, limit: limit) { count($0) }
        #expect(bound <= end)
        #expect(count(bound) > 0 || count(end) == 0)
        #expect(count(bound) <= limit || bound == earliest + 1)
        // At least half of it, or the rest would have one time.
        if count(end) <= limit { #expect(bound == end) }
    }

    @Test("The most that a run deletes", arguments: [(0, 1), (1, 1), (19, 1), (20, 2), (1005, 100)])
    func limits(total: Int, limit: Int) {
        #expect(RetentionPurge.limit(of: total) == limit)
    }

    /// Runs the purge of a store until a number of exposures is left. Returns the log.
    ///
    /// - Parameters:
    ///   - ages: the ages of the exposures in days, when the newest was received.
    ///   - left: the number that is left.
    private func purge(_ ages: [Int64], until left: Int) async throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        let now = Fixture.instant.milliseconds
        _ = try await store.record(
            ages.enumerated().map { number, age in
                Exposure(
                    unit: "u\(number)", experiment: "e", salt: "e", variant: number % 2 == 0 ? "a" : "b",
                    at: now - age * Self.day, receivedAt: now)
            })
        let log = LogRecord(.info)
        // Where the clock stands makes no difference, as long as it is not behind.
        let clock = SimulatedClock(Instant(seconds: Fixture.instant.seconds + 400 * 86_400))
        let plans = PlanStore(try Fixture.plan(), loadedAt: Fixture.instant, clock: clock.clock)
        let exposures = ExposureService(
            plans: plans, retention: .seconds(30 * 86_400), logger: Logger(label: "test", factory: { _ in log }),
            purgeInterval: .milliseconds(1), patience: .seconds(60)
        ) { () throws(ExposureStoreError) in store }
        let keeping = Task { try await exposures.run() }
        while try await store.preview(of: .all).reduce(0, { $0 + $1.count }) > left { await Task.yield() }
        // The last line comes after the deletion.
        while log.lines.last?.hasPrefix("exposures purged") != true { await Task.yield() }
        keeping.cancel()
        _ = await keeping.result
        withExtendedLifetime(folder) {}
        return log.lines
    }

    @Test("Old exposures are announced in one run and deleted in the next, a tenth of all at most in each")
    func oldExposuresAreDeleted() async throws {
        let few = try await purge((0..<19).map { _ in 29 } + [31], until: 19)
        #expect(few.prefix(2) == ["exposures are too old; the next run deletes them", "exposures purged"])
        let many = try await purge((0..<100).map { Int64($0) }, until: 31)
        #expect(many.first?.hasPrefix("more than a tenth of all exposures is too old") == true)
        // 100 exposures, 69 of which are too old.
        #expect(many.count { $0 == "exposures purged" } > 10)
    }
}
