import GRDB
import Testing

@testable import AllotExposures

/// The numbers that stand for texts in a file.
struct NumberTests {
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
            try ["randomisation", "variant", "cohort", "unconfirmed"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)")
            }
        }
    }

    @Test("Names whose exposures were deleted do not pile up, and others get their numbers")
    func namesDoNotPileUp() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        for round in 0..<5 {
            let exposures = Self.invented(round)
            #expect(try await store.record(exposures) == exposures.map { _ in .stored })
            #expect(try await Self.sizes(temporary) == [20, 20, 20, 40])
            #expect(Set(try await store.randomisations().map(\.experiment)) == Set(exposures.map(\.experiment)))
            let arms = try await store.unconfirmedArms()
            #expect(try await store.delete(ExposureDeletion(unconfirmed: arms)) == 20)
            #expect(try await Self.sizes(temporary) == [20, 20, 20, 0])
        }
        // One name comes again, and its number is not free any more; the others need two more than there are.
        let again = Exposure(unit: "again", experiment: "e-4-7", variant: "v-4-7", at: 1)
        let exposures =
            [again] + (0..<21).map { Exposure(unit: "u", experiment: "new-\($0)", variant: "v-\($0)", at: 1) }
        _ = try await store.record(exposures)
        #expect(try await Self.sizes(temporary) == [22, 22, 22, 0])
        try await temporary.reopen()
        let stored = try await temporary.store.exposures(limit: 1000).exposures
        #expect(stored.map(described) == exposures.map(described))
        for exposure in exposures { #expect(try await temporary.store.units(of: exposure.experiment) == [1]) }
    }

    @Test("A damaged sum does not give a number with exposures to others")
    func damagedSums() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.record([Exposure(unit: "u", experiment: "old", variant: "old", at: 0)])
        try await temporary.execute("UPDATE cohort SET units = 0; UPDATE randomisation SET entries = 0")
        _ = try await store.record([Exposure(unit: "u", experiment: "new", variant: "new", at: 0)])
        #expect(try await Self.sizes(temporary) == [2, 2, 2, 0])
        #expect(try await store.exposures().exposures.map(\.experiment) == ["old", "new"])
        await #expect(throws: ExposureStoreError.self) { try await store.counts(experiment: "old", salt: "old") }
    }
}
