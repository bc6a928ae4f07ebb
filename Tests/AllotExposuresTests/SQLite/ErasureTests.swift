import Foundation
import TestSupport
import Testing

@testable import AllotExposures

/// What is deleted leaves no bytes in the files of a store.
@Suite(.blocks) struct ErasureTests {
    /// The names of what a unit leaves: its ID, its event and an attribute.
    private static func exposure(_ number: Int, _ random: inout SeededGenerator) -> Exposure {
        let name = String(random.next(), radix: 36)
        let padding = String(repeating: "x", count: Int.random(in: 0..<400, using: &random))
        return Exposure(
            "\(name)-unit-\(number).", experiment: "e\(number % 2)",
            at: Int64.random(in: 0..<1_000_000, using: &random),
            id: "\(name)-event-\(number).", reason: number % 5 == 0 ? "forced" : "split",
            attributes: #"{"mark":"\#(name)-mark-\#(number).","padding":"\#(padding)"}"#)
    }

    private static func marks(_ number: Int) -> [String] {
        ["unit", "event", "mark"].map { "-\($0)-\(number)." }
    }

    /// Which marks are in the files of a folder.
    private static func found(_ marks: [String], in folder: TemporaryFolder) throws -> Set<String> {
        var found: Set<String> = []
        for name in try folder.names() {
            let data = Data(try folder.bytes(name))
            for mark in marks where data.range(of: Data(mark.utf8)) != nil { found.insert(mark) }
        }
        return found
    }

    /// Random unit IDs split pages everywhere; deletions merge them.
    @Test("An erased unit leaves no bytes in the files, while another process writes them", arguments: 0..<2)
    func anErasedUnitLeavesNoBytes(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let temporary = try TemporaryStore()
        let store = temporary.store
        let exposures = (0..<1500).map { Self.exposure($0, &random) }
        for start in stride(from: 0, to: 1500, by: 50) {
            _ = try await store.record(Array(exposures[start..<start + 50]))
        }
        // An earlier time replaces the row.
        var earlier = exposures[7]
        earlier.at = -1
        earlier.id = "again-event-7."
        _ = try await store.record([earlier])
        _ = try await store.delete(ExposureDeletion(before: 300_000))
        let output = LineReader()
        let others = try RunningProgram(
            BuiltProgram("exposure-crash-probe").url, [temporary.path, "others"], output: output.pipe)
        for _ in 0..<3 { #expect(output.next() != nil) }
        var erased = [7]
        while erased.count < 5 {
            let number = Int.random(in: 0..<1500, using: &random)
            if exposures[number].at >= 300_000 { erased.append(number) }
        }
        let marks = erased.flatMap { Self.marks($0) }
        #expect(try Self.found(marks, in: temporary.folder).count > 9)
        for number in erased { #expect(try await store.erase(unit: exposures[number].unit) == (number == 7 ? 0 : 1)) }
        #expect(try Self.found(marks, in: temporary.folder) == [])
        others.signal(SIGKILL)
        #expect(others.waitForEnd() != nil)
        #expect(try Self.found(marks, in: temporary.folder) == [])
        let kept = exposures.count { $0.at >= 300_000 && $0.unit != exposures[7].unit }
        let counts = [
            try await store.counts(experiment: "e0", salt: "e0"), try await store.counts(experiment: "e1", salt: "e1"),
        ]
        #expect(counts.flatMap(\.groups).reduce(0) { $0 + $1.units } == kept - 4)
        await store.shutdown()
    }
}
