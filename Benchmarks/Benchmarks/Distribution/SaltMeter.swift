import Allot
import AllotAnalysis
import AllotStatistics

/// Splits the same units in halves under one salt after another, and tells how well.
final class SaltMeter {
    private let function: any BucketingFunction
    private let unitCount: Int
    private var blocks: [UnitBlock] = []
    private var buckets: [UnitBuckets] = []
    private var salts = (0...).lazy.compactMap { Salt("exp-\($0)") }.makeIterator()
    private var salt: Salt?
    /// Whether each unit was in the first half under the salt before.
    private var before: [Bool]

    /// What a salt did to the units, in whole numbers as the suite takes them.
    struct Quality {
        /// Of the halves, 1 degree of freedom, times 1000.
        let chiSquare: Int
        /// The absolute correlation with the salt before, times 10,000.
        let phi: Int
        /// Chi-square of the buckets as a number of standard deviations from its mean, times 10, plus 1000.
        let uniformity: Int
    }

    init(_ function: any BucketingFunction, unitCount: Int) {
        self.function = function
        self.unitCount = unitCount
        before = Array(repeating: false, count: unitCount)
        let source = GeneratedUnits(.uuid, count: unitCount)
        var block = UnitBlock()
        while source.next(into: &block) != nil {
            blocks.append(block)
            buckets.append(UnitBuckets(count: block.count))
        }
        nextSalt()
        hash()
        _ = quality()
    }

    func nextSalt() {
        salt = salts.next()
    }

    /// The part whose time is taken.
    func hash() {
        guard let salt else { return }
        for index in blocks.indices { function.fill(&buckets[index], for: blocks[index], under: .sha256(salt)) }
    }

    func quality() -> Quality {
        let half = UInt32(function.bucketCount / 2)
        let cellCount = min(function.bucketCount, 1000)
        var cells = [Int](repeating: 0, count: cellCount)
        var now: [Bool] = []
        now.reserveCapacity(unitCount)
        for (block, buckets) in zip(blocks, buckets) {
            for bucket in buckets.second.prefix(block.count) {
                now.append(bucket < half)
                cells[Int(bucket) * cellCount / function.bucketCount] += 1
            }
        }
        var table = [[0, 0], [0, 0]]
        for (left, right) in zip(before, now) { table[left ? 0 : 1][right ? 0 : 1] += 1 }
        let phi = (try? IndependenceTest(table: table).phi) ?? 0
        before = now
        let halves = now.count { $0 }
        let degrees = Double(cellCount - 1)
        let deviations = (chiSquare(cells) - degrees) / (2 * degrees).squareRoot()
        return Quality(
            chiSquare: Int(chiSquare([halves, unitCount - halves]) * 1000), phi: Int(abs(phi) * 10_000),
            uniformity: Int(max(deviations + 100, 0) * 10))
    }

    private func chiSquare(_ counts: [Int]) -> Double {
        (try? ChiSquare(counts: counts, shares: counts.map { _ in 1 }))?.statistic ?? 0
    }
}
