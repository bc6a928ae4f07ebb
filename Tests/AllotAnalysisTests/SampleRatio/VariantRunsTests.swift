import TestSupport
import Testing

@testable import AllotAnalysis

struct VariantRunsTests {
    private func runs(_ variants: [Int]) -> VariantRuns {
        var runs = VariantRuns(variantCount: 3)
        for variant in variants { runs.note(variant) }
        return runs
    }

    @Test("Rows in random order are not sorted", arguments: 0..<10)
    func randomOrder(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        let mixed = runs((0..<2000).map { _ in Int.random(in: 0..<3, using: &generator) })
        #expect(!mixed.isSorted)
        // 1 + 2000 * 2 / 3 runs, with a standard deviation of 21.
        #expect(abs(Double(mixed.count) - mixed.expected) < 85)
    }

    @Test("Rows by variant are sorted, and rows by day and variant as well")
    func sortedByVariant() {
        #expect(runs((0..<100).map { $0 / 50 }).isSorted)
        #expect(runs((0..<10).flatMap { _ in (0..<100).map { $0 / 50 } }).isSorted)
        #expect(runs((0..<500).map { $0 < 5 ? 0 : 1 }).isSorted)
    }

    /// A variant that is lost from some moment on must still be an alarm.
    @Test("A variant that is lost from some moment on is not a sorted file", arguments: [0.05, 0.2, 0.5, 0.8])
    func aVariantThatIsLost(share: Double) {
        var generator = SeededGenerator(seed: 1)
        let rows = (0..<4000).map { row in
            Double(row) < 4000 * share ? Int.random(in: 0..<2, using: &generator) : 0
        }
        #expect(!runs(rows).isSorted)
    }

    @Test("Few rows, or one variant only, are not sorted")
    func fewRows() {
        #expect(!runs([]).isSorted)
        #expect(!runs([0, 1]).isSorted)
        #expect(!runs(Array(repeating: 0, count: 100)).isSorted)
    }
}
