import TestSupport
import Testing

@testable import AllotExposures

@Suite struct StoringTests {
    private static let header = ["unit", "variant", "experiment", "at", "attributes"]

    @Test("Hostile text is read as it was written")
    func hostileTextIsReadAsItWasWritten() async throws {
        let temporary = try TemporaryStore()
        let texts = [
            "", " ", "a,b", "\"", "\"\"", "a\"b", "\n", "\r\n", "a\rb", "'; DROP TABLE exposure; --", "é", "e\u{301}",
            "🙂", "\u{FEFF}x", "\u{7F}\u{1}", "=1+1", "\u{10FFFF}", String(repeating: "x", count: 100_000),
        ]
        let exposures = texts.map { text in
            Exposure(id: text, unit: text, experiment: "e" + text, variant: "v" + text, at: 0, attributes: text)
        }
        #expect(try await temporary.store.record(exposures) == texts.map { _ in .stored })
        try await temporary.reopen()
        let records = try await temporary.store.exported()
        #expect(records.first == Self.header)
        let expected = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(records.dropFirst().map { Array($0[0].utf8) } == expected)
        for record in records.dropFirst() {
            let unit = Array(record[0].utf8)
            #expect(Array(record[1].utf8) == Array("v".utf8) + unit)
            #expect(Array(record[2].utf8) == Array("e".utf8) + unit)
            #expect(record[3] == "1970-01-01T00:00:00.000Z")
            #expect(Array(record[4].utf8) == unit)
        }
        #expect(try await temporary.store.record(exposures) == texts.map { _ in .duplicate })
        let counts = try await temporary.store.counts(experiment: "e\"")
        #expect(counts.variants == [.init(variant: "v\"", units: 1, earliest: 0, latest: 0)])
    }

    @Test("An exposure that cannot be stored is refused with the reason", arguments: 0..<5)
    func whatCannotBeStoredIsRefused(field: Int) async throws {
        let temporary = try TemporaryStore()
        func text(_ index: Int) -> String { index == field ? "a\0b" : "a" }
        let bad = Exposure(
            id: text(0), unit: text(1), experiment: text(2), variant: text(3), at: 0, attributes: text(4))
        let good = Exposure(unit: "a", experiment: "a", variant: "a", at: 0)
        let name = ["id", "unit", "experiment", "variant", "attributes"][field]
        await #expect(
            throws: ExposureStoreError.refused(
                "exposure 1 cannot be stored: its \(name) contains U+0000; leave that character out")
        ) { try await temporary.store.record([good, bad]) }
        #expect(try await temporary.store.exported() == [Self.header])
    }

    @Test(
        "A time outside the years 0 to 9999 is refused",
        arguments: [Int64.min, -62_167_219_200_001, 253_402_300_800_000, .max])
    func timesThatCannotBeWrittenAreRefused(at: Int64) async throws {
        let temporary = try TemporaryStore()
        let exposure = Exposure(unit: "a", experiment: "a", variant: "a", at: at)
        await #expect(throws: ExposureStoreError.self) { try await temporary.store.record([exposure]) }
    }

    @Test("The first exposure stays, with the earliest time")
    func theFirstStaysWithTheEarliestTime() async throws {
        let temporary = try TemporaryStore()
        func exposure(_ id: String?, _ at: Int64, _ attributes: String) -> Exposure {
            Exposure(id: id, unit: "u", experiment: "e", variant: "v", at: at, attributes: attributes)
        }
        let outcomes = try await temporary.store.record([
            exposure("1", 500, "first"), exposure("2", 300, "earlier"), exposure("3", 900, "later"),
            exposure("1", 100, "the same event"),
            Exposure(id: "1", unit: "other", experiment: "e", variant: "v", at: 0),
        ])
        #expect(outcomes == [.stored, .duplicate, .duplicate, .duplicate, .duplicate])
        #expect(
            try await temporary.store.exported() == [
                Self.header, ["u", "v", "e", "1970-01-01T00:00:00.300Z", "first"],
            ])
    }

    @Test("Random batches follow the model", arguments: 0..<12)
    func randomBatchesFollowTheModel(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let temporary = try TemporaryStore()
        var model = ExposureModel()
        for batch in 0..<30 {
            let exposures = (0..<Int.random(in: 0..<20, using: &random)).map { _ in random.exposure() }
            #expect(try await temporary.store.record(exposures) == model.record(exposures))
            if batch == 15 { try await temporary.reopen() }
        }
        try await expect(temporary.store, follows: model)
    }

    /// Each task has its own units and no event IDs, so that the order of the tasks makes no difference.
    @Test("Concurrent callers follow the model", arguments: 0..<6)
    func concurrentCallersFollowTheModel(seed: Int) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        var model = ExposureModel()
        let batches = (0..<8).map { task in
            var random = SeededGenerator(seed: seed * 100 + task)
            return (0..<40).map { _ in
                (0..<Int.random(in: 1..<12, using: &random)).map { _ in
                    let drawn = random.exposure(unit: "\(task)-\(Int.random(in: 0..<50, using: &random))")
                    return Exposure(
                        unit: drawn.unit, experiment: drawn.experiment, variant: drawn.variant, at: drawn.at,
                        attributes: drawn.attributes)
                }
            }
        }
        let expected = batches.map { $0.map { model.record($0) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (batches, expected) in zip(batches, expected) {
                group.addTask {
                    for (batch, expected) in zip(batches, expected) {
                        let outcomes = try await store.record(batch)
                        #expect(outcomes == expected)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.queuedCount == 0)
        try await expect(store, follows: model)
    }

    private func expect(_ store: ExposureStore, follows model: ExposureModel) async throws {
        for experiment in [nil, "experiment 0", "experiment 1", "experiment 2", "none"] {
            let records = try await store.exported(experiment)
            let expected = model.exported(experiment)
            #expect(records.first == Self.header)
            #expect(
                records.dropFirst().map { [$0[3], $0[0]].map { Array($0.utf8) } }
                    == expected.map { [$0[3], $0[0]].map { Array($0.utf8) } })
            #expect(Self.sorted(records.dropFirst()) == Self.sorted(expected[...]))
        }
        for experiment in ["experiment 0", "experiment 1", "experiment 2", "none"] {
            let counts = try await store.counts(experiment: experiment)
            let expected = model.counts(experiment)
            #expect(counts.variants.map(\.variant) == expected.map(\.variant))
            #expect(counts.variants.map(\.units) == expected.map(\.units))
            #expect(counts.variants.map(\.earliest) == expected.map(\.earliest))
            #expect(counts.variants.map(\.latest) == expected.map(\.latest))
            #expect(counts.unitsInSeveralVariants == model.unitsInSeveralVariants(experiment))
        }
    }

    private static func sorted(_ records: ArraySlice<[String]>) -> [[UInt8]] {
        records.map { Array($0.joined(separator: "\u{1F}").utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
