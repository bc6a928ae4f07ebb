import TestSupport
import Testing

@testable import AllotAnalysis

struct EqualCellsTests {
    @Test(
        "The number of cells is the greatest divisor within the limit",
        arguments: [
            (1_000_000, 1_000_000, 1_000_000), (999_999, 1_000_000, 500_000), (1000, 1_000_000, 1000),
            (10, 1_000_000, 10), (1000, 1 << 31, 512), (100, 97, 97), (96, 97, 1), (5, 1000, 5), (0, 12, 1),
        ])
    func greatestDivisor(limit: Int, whole: Int, expected: Int) {
        #expect(EqualCells.count(atMost: limit, of: whole) == expected)
    }

    /// Multiplication in place of division must be exact at every edge.
    @Test(
        "The cell of a bucket is a quotient",
        arguments: [2, 100, 1000, 10_000, 99_991, 1_000_000, 1 << 20, 1 << 31, 2_147_483_646])
    func cellsAreQuotients(bucketCount: Int) {
        var random = SeededGenerator(seed: bucketCount)
        for limit in [1, 2, 10, 1000, 1_000_000] {
            let cells = EqualCells(atMost: limit, of: bucketCount)
            let width = bucketCount / cells.count
            #expect(width * cells.count == bucketCount)
            let edges = [0, 1, width - 1, width, width + 1, bucketCount - width, bucketCount - 1, bucketCount / 2]
            let buckets = (0..<1000).map { _ in Int.random(in: 0..<bucketCount, using: &random) }
            let near = buckets.map { $0 / width * width }
            for bucket in edges + buckets + near + near.map({ $0 - 1 }) where (0..<bucketCount).contains(bucket) {
                #expect(cells.cell(of: UInt32(bucket)) == bucket / width)
            }
        }
    }

    @Test("Merging adds neighbours")
    func mergingAddsNeighbours() {
        #expect(EqualCells.merged([0, 1, 2, 3, 4, 5, 6][1...], to: 3) == [3, 7, 11])
        #expect(EqualCells.merged([UInt32.max, UInt32.max][...], to: 1) == [2 * Int(UInt32.max)])
    }
}
