import AllotConfiguration
import AllotStatistics

/// One test of the ratio over several periods with shares of their own: the sum over periods of observed - expected
/// units, against the sum of its covariances. A fault that is too small to show in each of them shows in all together.
enum StratifiedRatio {
    /// Fewer expected units of a variant are too few for the approximation.
    private static let fewestExpected = 100.0

    /// The p-value; `nil` where there is nothing to test or there are too few units.
    static func pValue(_ strata: [SampleRatioReport.Draft]) -> PValue? {
        guard let first = strata.first else { return nil }
        if strata.allSatisfy({ $0.shares == first.shares }) {
            let counts = first.counts.indices.map { variant in strata.reduce(0) { $0 + $1.counts[variant] } }
            return RatioTest(counts: counts, shares: first.shares.exactWeights)?.pValue
        }
        var index: [UTF8Key: Int] = [:]
        for key in strata.flatMap(\.shares.variants) where index[UTF8Key(key)] == nil {
            index[UTF8Key(key)] = index.count
        }
        var difference = Array(repeating: 0.0, count: index.count)
        var expected = difference
        var covariance = Array(repeating: difference, count: index.count)
        for stratum in strata {
            let shares = stratum.shares.shares
            let possible = shares.indices.filter { shares[$0] > 0 }
            let total = possible.reduce(0.0) { $0 + Double(stratum.counts[$1]) }
            let places = possible.map { index[UTF8Key(stratum.shares.variants[$0])] ?? 0 }
            for (left, variant) in zip(places, possible) {
                difference[left] += Double(stratum.counts[variant]) - total * shares[variant]
                expected[left] += total * shares[variant]
                for (right, other) in zip(places, possible) {
                    covariance[left][right] += total * shares[variant] * ((variant == other ? 1 : 0) - shares[other])
                }
            }
        }
        let possible = expected.indices.filter { expected[$0] > 0 }
        guard possible.allSatisfy({ expected[$0] >= fewestExpected }) else { return nil }
        let (statistic, rank) = quadraticForm(
            possible.map { difference[$0] }, possible.map { row in possible.map { covariance[row][$0] } })
        return rank > 0 ? ChiSquare.upperTail(statistic, degreesOfFreedom: Double(rank)) : nil
    }

    /// dᵀ C⁻ d and the rank of C, by elimination with the largest remaining variance as the pivot.
    private static func quadraticForm(_ difference: [Double], _ covariance: [[Double]]) -> (Double, rank: Int) {
        var (vector, matrix) = (difference, covariance)
        var left = Set(vector.indices)
        let least = 1e-9 * (vector.indices.map { matrix[$0][$0] }.max() ?? 0)
        var sum = 0.0
        var rank = 0
        while let pivot = left.sorted().max(by: { matrix[$0][$0] < matrix[$1][$1] }), matrix[pivot][pivot] > least {
            left.remove(pivot)
            sum += vector[pivot] * vector[pivot] / matrix[pivot][pivot]
            rank += 1
            for row in left {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                vector[row] -= factor * vector[pivot]
                for column in left { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return (sum, rank)
    }
}
