import AllotConfiguration
import TestSupport
import Testing

@testable import AllotExposures

/// What is stored of many exposures, in each kind of database.
@Suite(.blocks) struct IdentityTests {
    @Test("Random batches follow the model", arguments: TestedKind.available, 0..<12)
    func randomBatchesFollowTheModel(kind: TestedKind, seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let database = try kind.make()
        defer { withExtendedLifetime(database) {} }
        var store = try database.openStore()
        var model = ExposureModel()
        for batch in 0..<30 {
            let exposures = random.exposures(0..<20)
            #expect(try await store.record(exposures) == model.record(exposures))
            if batch == 15 {
                await store.shutdown()
                store = try database.openStore()
            }
        }
        try await store.expect(follows: model)
        await store.shutdown()
    }

    /// Each event has a time of its own: of two at one time the one that was stored first is kept.
    @Test("The result does not depend on the order of arrival", arguments: TestedKind.available, 0..<6)
    func theResultDoesNotDependOnTheOrderOfArrival(kind: TestedKind, seed: Int) async throws {
        var random = SeededGenerator(seed: 1000 + seed)
        let times = Array(-150..<150).shuffled(using: &random)
        var events = times.enumerated().map { index, time in
            var exposure = random.exposure(unit: "unit \(index % 7)")
            if exposure.id != nil { exposure.id = "event \(index)" }
            exposure.at = Int64(time)
            return exposure
        }
        // Some are sent again.
        events += (0..<100).map { _ in events[Int.random(in: 0..<times.count, using: &random)] }
        let first = Dictionary(grouping: events) { exposure in
            [
                exposure.experiment, exposure.salt, exposure.unit, exposure.variant, "\(exposure.isCounted)",
                exposure.window.map { "\($0)" } ?? "",
            ]
        }.values.compactMap { alike in
            alike.min { ($0.doubt == nil ? 0 : 1, $0.at) < ($1.doubt == nil ? 0 : 1, $1.at) }
        }
        let expected = first.map(described).sorted { $0.lexicographicallyPrecedes($1) }
        for _ in 0..<3 {
            events.shuffle(using: &random)
            let tested = try kind.make()
            defer { withExtendedLifetime(tested) {} }
            let store = try tested.openStore()
            var rest = events[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...60, using: &random)
                _ = try await store.record(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let counted = try await store.exposures().exposures
            let others = try await store.exposures(of: ExposureSelection(isCounted: false)).exposures
            let stored = (counted + others).map(described).sorted { $0.lexicographicallyPrecedes($1) }
            #expect(stored == expected)
            await store.shutdown()
        }
    }

    static let texts = [
        "", " ", "a,b", "\"", "\"\"", "a\"b", "\n", "\r\n", "a\rb", "'; DROP TABLE exposure; --", "\\", "\\N", "\\x41",
        "é", "e\u{301}", "🙂", "\u{FEFF}x", "\u{7F}\u{1}", "=1+1", "{}", "NULL", "\u{10FFFF}", "$1", "%s",
        String(repeating: "x", count: 1024),
    ]

    @Test("Hostile text is read as it was written", arguments: TestedKind.available)
    func hostileTextIsReadAsItWasWritten(kind: TestedKind) async throws {
        let database = try kind.make()
        defer { withExtendedLifetime(database) {} }
        var store = try database.openStore()
        let exposures = Self.texts.map { text in
            var exposure = Exposure(
                id: text, unit: text, experiment: "e" + text, salt: "s" + text, variant: "v" + text,
                reason: "r" + text, at: 0)
            exposure.revision = text
            exposure.isOverridden = true
            exposure.attributes = JSONValue.object(["text": .string(text)]).canonicalText
            return exposure
        }
        #expect(try await store.record(exposures) == exposures.map { _ in .stored })
        await store.shutdown()
        store = try database.openStore()
        let stored = try await store.exposures(of: ExposureSelection(isCounted: false)).exposures
        #expect(stored.map(described) == exposures.map(described))
        #expect(try await store.record(exposures) == exposures.map { _ in .duplicate })
        for text in Self.texts {
            let counts = try await store.counts(experiment: "e" + text, salt: "s" + text)
            #expect(counts.groups.map(\.units) == [1])
            #expect(counts.groups.map { Array($0.variant.utf8) } == [Array("v".utf8) + Array(text.utf8)])
        }
        let names = try await store.randomisations().map { Array($0.experiment.utf8) }
        #expect(names == exposures.map { Array($0.experiment.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        for text in Self.texts { #expect(try await store.erase(unit: text) == 1) }
        await store.shutdown()
    }

    @Test("An exposure that cannot be stored is refused with the reason", arguments: TestedKind.available, 0..<8)
    func whatCannotBeStoredIsRefused(kind: TestedKind, field: Int) async throws {
        try await kind.withStore { store async throws in
            func text(_ index: Int) -> String { index == field ? "a\0b" : "a" }
            var bad = Exposure(
                id: text(0), unit: text(1), experiment: text(2), salt: text(3), variant: text(4), reason: text(5),
                at: 0)
            bad.revision = text(6)
            bad.attributes = field == 7 ? text(7) : nil
            let good = Exposure("a", experiment: "a", variant: "a")
            let name = ["id", "unit", "experiment", "salt", "variant", "reason", "revision", "attributes"][field]
            await #expect(
                throws: ExposureStoreError.refused(
                    "exposure 1 cannot be stored: its \(name) contains U+0000; leave that character out")
            ) { try await store.record([good, bad]) }
            #expect(try await store.lastCursor() == 0)
        }
    }

    @Test("Times from the year 0 to 9999 are stored and others refused", arguments: TestedKind.available)
    func timesOfTheYearsAreStored(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            let times: [Int64] = [-62_167_219_200_000, -1, 0, 1, 253_402_300_799_999]
            let exposures = times.map { Exposure("\($0)", at: $0) }
            #expect(try await store.record(exposures) == times.map { _ in .stored })
            #expect(try await store.exposures().exposures.map(\.at) == times)
            for time in [Int64.min, -62_167_219_200_001, 253_402_300_800_000, .max] {
                let exposure = Exposure("a", at: time)
                await #expect(throws: ExposureStoreError.self) { try await store.record([exposure]) }
            }
        }
    }
}
