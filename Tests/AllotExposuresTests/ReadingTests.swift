import Testing

@testable import AllotExposures

@Suite struct ReadingTests {
    /// More than two pages, with equal times and units across the pages' ends.
    @Test("The pages of an export join without gaps or repetitions")
    func pagesJoinWithoutGapOrRepetition() async throws {
        let temporary = try TemporaryStore()
        let exposures = (0..<9001).map { index in
            Exposure(
                unit: "u\(index % 2)", experiment: "e\(index / 2 % 3)", variant: "v\(index)", at: Int64(index / 3000))
        }
        _ = try await temporary.store.record(exposures)
        let records = try await temporary.store.exported().dropFirst()
        #expect(records.count == 9001)
        #expect(Set(records.map { $0[1] }) == Set(exposures.map(\.variant)))
        let places = records.map { [$0[3], $0[0]] }
        #expect(zip(places, places.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        let own = try await temporary.store.exported(ExposureSelection(experiment: "e1")).dropFirst()
        #expect(Set(own.map { $0[1] }) == Set(exposures.filter { $0.experiment == "e1" }.map(\.variant)))
        #expect(own.count == exposures.count { $0.experiment == "e1" })
    }

    @Test("The chunks of an export stay small")
    func piecesStaySmall() async throws {
        let temporary = try TemporaryStore()
        let attributes = String(repeating: "x", count: 4096)
        let exposures = (0..<1000).map { index in
            Exposure(unit: "\(index)", experiment: "e", variant: "v", at: 0, attributes: attributes)
        }
        _ = try await temporary.store.record(exposures)
        var sizes: [Int] = []
        for try await piece in try await temporary.store.export() { sizes.append(piece.count) }
        #expect(sizes.allSatisfy { $0 < 300 * 1024 })
        #expect(sizes.count > 10)
    }

    @Test("Readers do not wait for the writer")
    func readersDoNotWaitForTheWriter() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.record([Exposure(unit: "u", experiment: "e", variant: "v", at: 0)])
        let release = temporary.holdWriter()
        #expect(try await store.units(of: "e") == [1])
        #expect(try await store.exported().count == 2)
        release.signal()
    }

    @Test(
        "Times are written as RFC 3339 in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_254_234_595, "2026-11-21T09:43:54.595Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func times(at: Int64, text: String) async throws {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.record([Exposure(unit: "u", experiment: "e", variant: "v", at: at)])
        #expect(try await temporary.store.exported().last?[3] == text)
    }
}
