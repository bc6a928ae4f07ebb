import TestSupport
import Testing

@testable import AllotAnalysis

struct ValueTallyTests {
    @Test("The tally agrees with an array", arguments: [40, 900])
    func agreesWithAnArray(limit: Int) {
        var generator = SeededGenerator(seed: limit)
        var tally = ValueTally("country", limit: limit == 40 ? 50 : 100_000)
        var expected: [String] = []
        for record in 0..<5000 {
            let value = record % 7 == 0 ? "" : "v\(Int.random(in: 0..<limit, using: &generator))"
            expected.append(value)
            if let number = value.withBytes({ value.isEmpty ? nil : tally.find($0) }) { tally.set(record, number) }
        }
        let found = expected.indices.map { record in
            tally.value(of: record) < 0 ? "" : tally.text(tally.value(of: record))
        }
        #expect(found == expected)
    }

    @Test("Of rows of one time the first value in byte order is kept")
    func ties() {
        var tally = ValueTally("country", limit: 50)
        for value in ["b", "c", "a", "b"] {
            let number = value.withBytes { tally.find($0) } ?? -1
            tally.setLeast(0, number)
        }
        #expect(tally.text(tally.value(of: 0)) == "a")
    }

    @Test("An attribute with too many values is dropped")
    func tooManyValuesAreDropped() {
        var tally = ValueTally("id", limit: 2)
        let found = ["a", "b", "a"].map { value in value.withBytes { tally.find($0) } }
        #expect(found == [0, 1, 0])
        #expect(!tally.isDropped)
        let others = ["c", "a"].map { value in value.withBytes { tally.find($0) } }
        #expect(others == [nil, nil])
        #expect(tally.isDropped)
        tally.set(0, 0)
        #expect(tally.valueCount == 0)
    }
}
