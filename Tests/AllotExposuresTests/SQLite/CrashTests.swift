import Foundation
import GRDB
import TestSupport
import Testing

@testable import AllotExposures

@Suite(.blocks) struct CrashTests {
    /// The number of times that a process is killed: more before a release, with `ALLOT_KILLS=800`.
    private static let kills = ProcessInfo.processInfo.environment["ALLOT_KILLS"].flatMap { Int($0) } ?? 9

    /// A process that stores batches of ten is killed after some acknowledgements, three times in a row on one file.
    @Test("What was acknowledged survives the killing of the process", arguments: 0..<Self.kills / 3)
    func whatWasAcknowledgedOutlivesAKilledProcess(seed: Int) async throws {
        let temporary = try TemporaryStore()
        await temporary.store.shutdown()
        var random = SeededGenerator(seed: seed)
        var acknowledged: Set<String> = []
        for life in 0..<3 {
            let count = Int.random(in: 1..<200, using: &random)
            let batches = try Self.acknowledgements(temporary.path, seed: "\(seed).\(life)", killedAfter: count)
            #expect(batches.count >= count)
            for batch in batches {
                for index in 0..<10 { acknowledged.insert("unit-\(batch)-\(index)") }
            }
            try await temporary.reopen()
            let units = try await temporary.store.exported().dropFirst().map { $0[0] }
            #expect(Set(units).isSuperset(of: acknowledged))
            #expect(units.count == Set(units).count)
            // All of a batch or nothing.
            #expect(units.count.isMultiple(of: 10))
            let check = try await temporary.database.pool.read {
                try String.fetchOne($0, sql: "PRAGMA integrity_check")
            }
            #expect(check == "ok")
            #expect(try await temporary.store.units(of: "checkout").reduce(0, +) == units.count)
            await temporary.store.shutdown()
        }
    }

    /// The whole lines that the probe wrote before it was killed.
    private static func acknowledgements(_ path: String, seed: String, killedAfter count: Int) throws -> [String] {
        let run = try ProbeRun("exposure-crash-probe", [path, seed])
        let lines = run.lines(killedAfter: count)
        #expect(run.status == 128 + SIGKILL)
        return lines
    }
}
