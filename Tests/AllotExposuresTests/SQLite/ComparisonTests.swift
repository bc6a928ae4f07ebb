import Testing

@testable import AllotExposures

struct ComparisonTests {
    /// Texts of callers, with a character at which SQLite could end them.
    @Test("A text with U+0000 is equal to no stored one")
    func textsWithNull() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let exposure = Exposure()
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
