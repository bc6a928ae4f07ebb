import Testing

@testable import AllotExposures

struct ReadingTests {
    @Test("The chunks of an export stay small")
    func piecesStaySmall() async throws {
        let temporary = try TemporaryStore()
        let attributes = #"{"x":"\#(String(repeating: "x", count: 4088))"}"#
        let exposures = (0..<1000).map { index in
            Exposure("\(index)", attributes: attributes)
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
        _ = try await store.record([Exposure()])
        let release = temporary.holdWriter()
        #expect(try await store.units(of: "e") == [1])
        #expect(try await store.exported().count == 2)
        release.signal()
    }
}
