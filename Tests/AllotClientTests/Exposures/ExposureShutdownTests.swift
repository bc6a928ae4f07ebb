import TestSupport
import Testing

@testable import AllotClient

@Suite(.mayHang) struct ExposureShutdownTests {
    /// Any number is a limit.
    @Test(
        "The limit of a shutdown is between zero and a day",
        arguments: [
            (.seconds(Int64.max), 86_400), (.seconds(Int64.min), 0), (.seconds(-1), 0), (.zero, 0), (.seconds(7), 7),
        ] as [(Duration, Double)])
    func limitsOfShutdown(limit: Duration, seconds: Double) async {
        let sleep = ManualSleep()
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(nil, server, ExposureFixture.options(sleep))
        reporter.record(units: ["1"])
        #expect(await sleep.next() == 10)
        server.close()
        async let end: Void = reporter.shutdown(within: limit)
        #expect(await sleep.next() == seconds)
        server.open()
        await end
    }

    /// The round whose end it waits for is its own, or began when the disk was full.
    @Test(
        "A shutdown does not wait for a sender that ignores cancellation, and writes what a full disk refused",
        arguments: [false, true])
    func shutdownDoesNotWaitForADeafSender(wasFull: Bool) async throws {
        let folder = try TemporaryFolder()
        let sleep = ManualSleep()
        let disk = FaultyDisk(seed: 1)
        let deaf = FakeExposureServer()
        deaf.close()
        let reporter = ExposureReporter.make(folder.path, deaf, ExposureFixture.options(sleep), write: disk.write)
        disk.isFaulty.withLock { $0 = wasFull }
        reporter.record(units: ["1", "2"])
        #expect(await sleep.next() == 10)
        if wasFull {
            sleep.wake()
            await deaf.untilHeld()
            disk.isFaulty.withLock { $0 = false }
        }
        async let end: Void = reporter.shutdown(within: .seconds(3))
        #expect(await sleep.next() == 3)
        if !wasFull { await deaf.untilHeld() }
        sleep.wake()
        await end
        // What it brings about later changes nothing.
        #expect(try folder.names().count == 1)
        deaf.open()
        await reporter.flush()
        let server = FakeExposureServer()
        let next = ExposureReporter.make(folder.path, server)
        await next.flush()
        #expect(server.stored.map(\.unit) == ["1", "2"])
    }
}
