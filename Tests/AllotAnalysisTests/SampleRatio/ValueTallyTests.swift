import TestSupport
import Testing

@testable import AllotAnalysis

struct ValueTallyTests {
    @Test("The tally agrees with a dictionary", arguments: 0..<4)
    func agreesWithADictionary(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var tally = ValueTally("country", variantCount: 2, limit: 1000)
        var expected: [String: [Int]] = [:]
        for _ in 0..<20_000 {
            let value = "v\(Int.random(in: 0..<900, using: &generator))"
            let variant = Int.random(in: 0..<2, using: &generator)
            expected[value, default: [0, 0]][variant] += 3
            let index = value.withBytes { tally.find($0) } ?? -1
            tally.count(index, variant: variant, 3)
        }
        let found = (0..<tally.valueCount).map { (tally.text($0), tally.counts($0)) }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected)
    }

    @Test("An attribute with too many values is dropped")
    func tooManyValuesAreDropped() {
        var tally = ValueTally("id", variantCount: 2, limit: 2)
        let found = ["a", "b", "a"].map { value in value.withBytes { tally.find($0) } }
        #expect(found == [0, 1, 0])
        #expect(!tally.isDropped)
        let others = ["c", "a"].map { value in value.withBytes { tally.find($0) } }
        #expect(others == [nil, nil])
        #expect(tally.isDropped)
        tally.count(0, variant: 0, 1)
        #expect(tally.valueCount == 0)
    }
}
