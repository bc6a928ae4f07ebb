import Synchronization
import TestSupport
import Testing

@testable import AllotExposures

/// Cursors, purges, erasures, merges and several servers, in each kind of database.
@Suite(.blocks) struct KeepingTests {
    @Test("An export after a cursor has what is new or replaced", arguments: TestedKind.available, 0..<4)
    func anExportAfterACursorHasWhatIsNew(kind: TestedKind, seed: Int) async throws {
        var random = SeededGenerator(seed: 2000 + seed)
        try await kind.withStore { store async throws in
            var model = ExposureModel()
            var cursor: Int64 = 0
            // What a warehouse has that replaces rows of one identity.
            var loaded: [[String]: [UInt8]] = [:]
            for _ in 0..<15 {
                let before = model.cursor
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    let exposures = random.exposures(1..<12)
                    _ = try await store.record(exposures)
                    _ = model.record(exposures)
                }
                let new = try await store.exposures(after: cursor)
                #expect(new.exposures.map(described) == model.exposures(after: before).map(described))
                #expect(new.cursor >= cursor)
                cursor = new.cursor
                for exposure in new.exposures {
                    let key = [
                        exposure.experiment, exposure.salt, exposure.variant, "\(Array(exposure.unit.utf8))",
                        exposure.window.map { "\($0)" } ?? "",
                    ]
                    loaded[key] = described(exposure)
                }
            }
            let expected = Set(model.exposures().map(described))
            #expect(Set(loaded.values) == expected)
            #expect(loaded.count == expected.count)
            await #expect(throws: ExposureStoreError.self) { _ = try await store.export(after: cursor + 1) }
            await #expect(throws: ExposureStoreError.self) { _ = try await store.export(after: -1) }
        }
    }

    /// More than a page, with holes.
    @Test("The pages of an export join without gaps or repetitions", arguments: TestedKind.available)
    func pagesJoinWithoutGapOrRepetition(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            let exposures = (0..<9001).map { index in
                let (experiment, variant) = (index / 2 % 3, index % 5)
                return Exposure("u\(index)", experiment: "e\(experiment)", variant: "v\(variant)", at: Int64(index / 2))
            }
            _ = try await store.record(exposures)
            #expect(try await store.delete(ExposureDeletion(before: 2500)) == 5000)
            for limit in [7, 2000, 100_000] {
                #expect(try await store.exposures(limit: limit).exposures.map(\.unit) == (5000..<9001).map { "u\($0)" })
            }
            let records = try await store.exported().dropFirst()
            #expect(records.map { $0[0] } == (5000..<9001).map { "u\($0)" })
            let own = try await store.exported(ExposureSelection(experiment: "e1")).dropFirst()
            #expect(own.map { $0[0] } == (5000..<9001).filter { $0 / 2 % 3 == 1 }.map { "u\($0)" })
        }
    }

    @Test(
        "A purge deletes what is before a time, of all experiments or of some, or a unit, as its preview says",
        arguments: TestedKind.available, 0..<4)
    func aPurgeDeletesWhatIsBefore(kind: TestedKind, seed: Int) async throws {
        var random = SeededGenerator(seed: 3000 + seed)
        try await kind.withStore { store async throws in
            var model = ExposureModel()
            for _ in 0..<6 {
                var last: [Exposure] = []
                for _ in 0..<4 {
                    last = random.exposures(2..<20)
                    #expect(try await store.record(last) == model.record(last))
                }
                let time = Int64.random(in: -600..<600, using: &random)
                let experiments = Bool.random(using: &random) ? nil : ["experiment 0", "none"]
                for unit in [last[0].unit, last[1].unit, "unknown"] {
                    let deletion = ExposureDeletion(unit: unit)
                    #expect(try await store.preview(of: deletion) == model.parts(of: deletion))
                    #expect(try await store.erase(unit: unit) == model.remove { deletion.contains($0) })
                    #expect(try await store.exposures().exposures.map(described) == model.exposures().map(described))
                }
                // They may come back, as others.
                #expect(try await store.record(last) == model.record(last))
                let deletion = ExposureDeletion(before: time, of: experiments)
                #expect(try await store.preview(of: deletion) == model.parts(of: deletion))
                #expect(try await store.delete(deletion) == model.remove { deletion.contains($0) })
                #expect(try await store.preview(of: deletion).isEmpty)
                #expect(
                    try await store.exposures().exposures.map(described) == model.exposures().map(described))
            }
            for randomisation in model.randomisations(of: nil) {
                let (experiment, salt) = (randomisation.experiment, randomisation.salt)
                let counts = try await store.counts(experiment: experiment, salt: salt)
                #expect(counts == model.counts(experiment: experiment, salt: salt))
            }
            #expect(try await store.delete(.all) == model.rows.count)
            #expect(try await store.randomisations() == [])
            #expect(try await store.exposures().exposures.isEmpty)
        }
    }

    @Test("A purge in small parts deletes as much and keeps the cursor", arguments: TestedKind.available, [1, 7, 1000])
    func aPurgeInSmallPartsDeletesAsMuch(kind: TestedKind, limit: Int) async throws {
        let tested = try kind.make()
        defer { withExtendedLifetime(tested) {} }
        let database = try tested.open()
        let exposures = (0..<100).map {
            Exposure("\($0)", experiment: "e\($0 % 3)", at: Int64($0))
        }
        _ = try database.store(exposures)
        for (end, count) in [(80, 80), (100, 20)] as [(Int64, Int)] {
            var deleted = [0]
            repeat {
                deleted.append(try database.delete(ExposureDeletion(before: end), limit: limit))
            } while deleted.last != 0
            #expect(deleted.reduce(0, +) == count)
            #expect(deleted.allSatisfy { $0 <= limit })
            let left = try database.exposures(of: ExposureSelection(), after: 0, through: 100, limit: 100).exposures
            #expect(left.map(\.at) == Array(end..<100))
            #expect(try database.lastCursor() == 100)
        }
        database.close()
    }

    @Test("A cursor is never used again, even if the last exposures were erased", arguments: TestedKind.available)
    func aCursorIsNeverUsedAgain(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.record((0..<5).map { Exposure("\($0)") })
            let last = try await store.lastCursor()
            #expect(try await store.erase(unit: "4") == 1)
            #expect(try await store.lastCursor() == last)
            _ = try await store.record([Exposure("new")])
            #expect(try await store.exposures(after: last).exposures.map(\.unit) == ["new"])
        }
    }

    /// Whatever names an experiment in the database may be used again once nothing of it is left.
    @Test("What is stored after a deletion is not taken for what was deleted", arguments: TestedKind.available)
    func deletedExperimentsLeaveNothing(kind: TestedKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.record(["a", "b"].map { Exposure(experiment: $0) })
            #expect(try await store.delete(ExposureDeletion(experiments: ["b"])) == 1)
            #expect(try await store.record(["c", "b"].map { Exposure(experiment: $0) }) == [.stored, .stored])
            for experiment in ["a", "b", "c"] { #expect(try await store.units(of: experiment) == [1], "\(experiment)") }
            #expect(Set(try await store.exposures(ofUnit: "u").map(\.experiment)) == ["a", "b", "c"])
            #expect(try await store.erase(unit: "u") == 3)
        }
    }

    @Test("Merged stores have the first exposures of all", arguments: TestedKind.available, 0..<4)
    func mergedStoresHaveTheFirstExposuresOfAll(kind: TestedKind, seed: Int) async throws {
        var random = SeededGenerator(seed: 5000 + seed)
        let tested: [any TestedDatabase] = [try kind.make(), try TestedFile()]
        defer { withExtendedLifetime(tested) {} }
        let stores = try tested.map { try $0.openStore() }
        var models = [ExposureModel(), ExposureModel()]
        for (index, store) in stores.enumerated() {
            let exposures = random.exposures(100..<200)
            _ = try await store.record(exposures)
            _ = models[index].record(exposures)
        }
        let all = models[1].exposures() + models[1].exposures(of: ExposureSelection(isCounted: false))
        let outcomes = models[0].record(all)
        let merged = try await stores[0].merge(stores[1])
        #expect(merged == (outcomes.count { $0 == .stored }, outcomes.count { $0 == .duplicate }))
        try await stores[0].expect(follows: models[0])
        let again = try await stores[0].merge(stores[1])
        let repeated = models[0].record(all)
        #expect(again == (repeated.count { $0 == .stored }, repeated.count { $0 == .duplicate }))
        try await stores[0].expect(follows: models[0])
        for store in stores { await store.shutdown() }
    }

    @Test("A merge copies what the other store gets meanwhile")
    func aMergeCopiesWhatArrivesMeanwhile() async throws {
        let (source, target) = (try TemporaryStore(), try TemporaryStore())
        let (from, to) = (source.store, target.store)
        // One more than a page.
        _ = try await from.record(
            (0...2000).map { Exposure("\($0)", at: 5) })
        let release = target.holdWriter()
        async let merging = to.merge(from)
        await to.waitForQueue(of: 2000)
        // The last one gets a new place, after the cursor at which the merge began.
        let earlier = Exposure("2000", at: 1)
        _ = try await from.record([earlier, Exposure("c", at: 1, reason: "forced")])
        release.signal()
        let merged = try await merging
        #expect(merged == (2002, 0))
        #expect(try await to.exposures(after: 1999).exposures.map(\.unit) == ["1999", "2000"])
        #expect(try await to.exposures(after: 1999).exposures.map(\.at) == [5, 1])
        let others = try await to.exposures(of: ExposureSelection(isCounted: false)).exposures
        #expect(others.map(\.unit) == ["c"])
        withExtendedLifetime((source, target)) {}
    }

    /// The number of writers that have not ended.
    private final class Running: Sendable {
        let count = Atomic(2)
    }

    /// Both writers send the same identities in different orders and in batches of all sizes, and a reader that loads
    /// what is new again and again has all of it in the end. The time is different in each, so that none are tied.
    @Test(
        "Two servers on one database agree, and an incremental reader misses nothing", arguments: TestedKind.available,
        0..<4)
    func twoServersOnOneDatabaseAgree(kind: TestedKind, seed: Int) async throws {
        let tested = try kind.make()
        defer { withExtendedLifetime(tested) {} }
        let (databases, reader) = (try [tested.open(), tested.open()], try tested.open())
        let sent = (0..<2).map { writer in
            var random = SeededGenerator(seed: seed * 2 + writer)
            return (0..<100).map { batch in
                (0..<random.number(1...29)).map { index in
                    var exposure = random.exposure(unit: "unit \(random.number(0...39))")
                    exposure.id = nil
                    exposure.at = Int64(random.number(0...99) * 100_000 + (batch * 30 + index) * 2 + writer)
                    return exposure
                }
            }
        }
        let running = Running()
        async let reading = onThread {
            var (loaded, cursor): ([ExposureModel.Identity: Exposure], Int64) = ([:], 0)
            var isLast = false
            while !isLast {
                isLast = running.count.load(ordering: .acquiring) == 0
                let end = try reader.lastCursor()
                for isCounted in [true, false] {
                    let selection = ExposureSelection(isCounted: isCounted)
                    var after = cursor
                    while after < end {
                        let page = try reader.exposures(of: selection, after: after, through: end, limit: 7)
                        for exposure in page.exposures { loaded[ExposureModel.Identity(exposure)] = exposure }
                        #expect(page.cursor > after)
                        after = page.cursor
                    }
                }
                #expect(end >= cursor)
                cursor = end
            }
            return loaded
        }
        let outcomes = try await withThrowingTaskGroup(of: [ExposureOutcome].self) { group in
            for (database, batches) in zip(databases, sent) {
                group.addTask {
                    try await onThread {
                        defer { running.count.subtract(1, ordering: .releasing) }
                        return try batches.flatMap { batch in
                            // SQLite's lock is not fair: a writer may wait in vain, and is asked to try again.
                            while true {
                                do {
                                    return try database.store(batch)
                                } catch {
                                    guard "\(error)".contains("database is locked") else { throw error }
                                }
                            }
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var first: [ExposureModel.Identity: Exposure] = [:]
        for exposure in sent.joined().joined() {
            let identity = ExposureModel.Identity(exposure)
            if first[identity].map({ exposure.rank < $0.rank }) ?? true { first[identity] = exposure }
        }
        #expect(try await reading == first)
        let rows = try reader.rows()
        #expect(rows.count == first.count)
        #expect(Dictionary(uniqueKeysWithValues: rows.map { (ExposureModel.Identity($0), $0) }) == first)
        #expect(outcomes.count { $0 == .stored } == first.count)
        for randomisation in try reader.randomisations(of: nil) {
            let (experiment, salt) = (randomisation.experiment, randomisation.salt)
            let own = first.values.count { $0.experiment == experiment && $0.salt == salt }
            let counts = try reader.counts(experiment: experiment, salt: salt)
            #expect(counts.groups.reduce(0) { $0 + $1.units } == own)
        }
        for database in databases + [reader] { database.close() }
    }

    /// Each task has its own units and no event IDs, so that the order of the tasks makes no difference.
    @Test("Concurrent callers follow the model", arguments: TestedKind.available, 0..<4)
    func concurrentCallersFollowTheModel(kind: TestedKind, seed: Int) async throws {
        try await kind.withStore { store async throws in
            var model = ExposureModel()
            let batches = (0..<8).map { task in
                var random = SeededGenerator(seed: seed * 100 + task)
                return (0..<20).map { _ in
                    (0..<Int.random(in: 1..<12, using: &random)).map { _ in
                        var exposure = random.exposure(unit: "\(task)-\(Int.random(in: 0..<50, using: &random))")
                        exposure.id = nil
                        return exposure
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
            for isCounted in [true, false] {
                let selection = ExposureSelection(isCounted: isCounted)
                let stored = try await store.exposures(of: selection, limit: 1000).exposures
                #expect(Set(stored.map(described)) == Set(model.exposures(of: selection).map(described)))
            }
        }
    }
}
