import GRDB
import Testing

@testable import AllotExposures

/// What exposures have in common in a file.
struct CohortTests {
    private static func invented(_ round: Int) -> [Exposure] {
        (0..<20).map { number in
            var exposure = Exposure(
                unit: "u\(number)", experiment: "e-\(round)-\(number)", variant: "v-\(round)-\(number)", at: 0)
            exposure.confirmation = .nothing
            exposure.revision = "r-\(round)"
            return exposure
        }
    }

    private static func sizes(_ temporary: TemporaryStore) async throws -> [Int?] {
        try await temporary.database.pool.read { database in
            try ["cohort", "unconfirmed"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)")
            }
        }
    }

    @Test("Names whose exposures were deleted are not kept")
    func namesAreNotKept() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        for round in 0..<5 {
            let exposures = Self.invented(round)
            #expect(try await store.record(exposures) == exposures.map { _ in .stored })
            #expect(try await Self.sizes(temporary) == [20, 40])
            #expect(Set(try await store.randomisations().map(\.experiment)) == Set(exposures.map(\.experiment)))
            let arms = try await store.unconfirmedArms()
            #expect(try await store.delete(ExposureDeletion(unconfirmed: arms)) == 20)
            #expect(try await Self.sizes(temporary) == [0, 0])
        }
        let again = Exposure(unit: "again", experiment: "e-4-7", variant: "v-4-7", at: 1)
        let exposures =
            [again] + (0..<21).map { Exposure(unit: "u", experiment: "new-\($0)", variant: "v-\($0)", at: 1) }
        _ = try await store.record(exposures)
        #expect(try await Self.sizes(temporary) == [22, 0])
        try await temporary.reopen()
        let stored = try await temporary.store.exposures(limit: 1000).exposures
        #expect(stored.map(described) == exposures.map(described))
        for exposure in exposures { #expect(try await temporary.store.units(of: exposure.experiment) == [1]) }
    }

    @Test("An event that stores nothing leaves no name")
    func eventsThatStoreNothing() async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure(id: "1", unit: "u", experiment: "e", variant: "v", at: 0)])
        var other = Exposure(id: "1", unit: "u", experiment: "other", variant: "v", at: 0)
        other.confirmation = .nothing
        other.revision = "r"
        #expect(try await temporary.store.record([other]) == [.duplicate])
        #expect(try await Self.sizes(temporary) == [1, 0])
        await temporary.store.shutdown()
    }

    /// Texts of callers, with a character at which SQLite could end them.
    @Test("A text with U+0000 is equal to no stored one")
    func textsWithNull() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let exposure = Exposure(unit: "u", experiment: "e", variant: "v", at: 0)
        _ = try await store.record([exposure])
        #expect(try await store.exposures(ofUnit: "u\0x") == [])
        #expect(try await store.preview(of: ExposureDeletion(unit: "u\0x")) == [])
        #expect(try await store.delete(ExposureDeletion(unit: "u\0x")) == 0)
        #expect(try await store.delete(ExposureDeletion(experiments: ["e\0x"])) == 0)
        #expect(try await store.erase(unit: "u\0x") == 0)
        #expect(try await store.randomisations(of: "e\0x") == [])
        for (experiment, salt) in [("e\0x", "e"), ("e", "e\0x")] {
            #expect(try await store.counts(experiment: experiment, salt: salt).groups == [])
            let selection = ExposureSelection(experiment: experiment, salt: salt)
            #expect(try await store.exposures(of: selection).exposures == [])
        }
        #expect(try await store.exposures(ofUnit: "u") == [exposure])
        await store.shutdown()
    }
}
