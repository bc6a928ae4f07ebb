import AllotStatistics
import TestSupport
import Testing

/// Distances of arms, compared with numpy's:
///
///     X = np.array([[1,2,0],[2,1,1],[3,5,0],[4,3,1],[5,8,1],[6,4,0],[7,9,1],[9,6,0.]])
///     P = np.linalg.pinv(np.cov(X.T)); m = X.mean(0)
///     sum((arms==a).sum()*(X[arms==a].mean(0)-m)@P@(X[arms==a].mean(0)-m) for a in range(k))
struct BalanceTests {
    private static let rows: [[Double]] = [
        [1, 2, 0], [2, 1, 1], [3, 5, 0], [4, 3, 1], [5, 8, 1], [6, 4, 0], [7, 9, 1], [9, 6, 0],
    ]

    private static func distance(_ rows: [[Double]], _ arms: [Int], of count: Int) throws -> (Double, Whitening) {
        let whitening = try Whitening(rows)
        var counts = [Double](repeating: 0, count: count)
        var sums = Array(repeating: Array(repeating: 0.0, count: rows[0].count), count: count)
        for (row, arm) in zip(rows, arms) {
            counts[arm] += 1
            sums[arm] = zip(sums[arm], row).map(+)
        }
        let criterion = BalanceCriterion(rank: whitening.rank, armCount: count)
        let whitened = zip(sums, counts).map { whitening.whitened($0, count: $1) }
        return (criterion.distance(counts: counts, sums: whitened), whitening)
    }

    @Test("The distance of two and of three arms is that of numpy")
    func distances() throws {
        expectClose(try Self.distance(Self.rows, [0, 1, 2, 0, 1, 2, 0, 1], of: 3).0, 3.0349907041044952)
        // d @ inv(np.cov(X.T) * (1/4 + 1/4)) @ d of the two means: Morgan and Rubin's M.
        expectClose(try Self.distance(Self.rows, [0, 1, 0, 1, 1, 0, 0, 1], of: 2).0, 3.4053963865185675)
    }

    @Test("A covariate that others determine is dropped, and the distance is that of the pseudo-inverse")
    func singular() throws {
        let rows = Self.rows.map { $0 + [2 * $0[0] - $0[2]] }
        let (distance, whitening) = try Self.distance(rows, [0, 1, 2, 0, 1, 2, 0, 1], of: 3)
        expectClose(distance, 3.034990704104496, within: 1e-9)
        #expect(whitening.kept == [0, 1, 2])
        #expect(whitening.dropped == [3])
    }

    @Test("A constant covariate is refused")
    func constant() {
        for (rows, column, isConstant) in [([[1, 3], [2, 3]], 1, true), ([[1e300, 3], [0, 2]], 0, false)] {
            let fault = #expect(throws: Whitening.Fault.self) { try Whitening(rows) }
            #expect(fault?.column == column)
            #expect(fault?.isConstant == isConstant)
        }
    }

    @Test("Units of another scale and place have the same distance", arguments: 0..<20)
    func invariance(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<30).map { _ in (0..<3).map { _ in Double.random(in: -1...1, using: &random) } }
        let arms = (0..<30).map { _ in random.number(0...2) }
        guard Set(arms).count == 3 else { return }
        let (factor, shift) = (Double.random(in: 0.1...1000, using: &random), Double.random(in: -9...9, using: &random))
        let moved = rows.map { [$0[1] * factor + shift, $0[0] + $0[2], $0[2] - 3 * $0[1]] }
        expectClose(
            try Self.distance(moved, arms, of: 3).0, try Self.distance(rows, arms, of: 3).0, within: 1e-8)
    }

    @Test("An arm without units is infinitely far")
    func emptyArm() {
        let criterion = BalanceCriterion(rank: 1, armCount: 2)
        #expect(criterion.distance(counts: [3, 0], sums: [[1], [0]]) == .infinity)
    }

    /// scipy.stats.chi2.ppf.
    @Test(
        "Quantiles of chi-square are those of scipy",
        arguments: [
            (0.01, 1.0, 0.00015708785790970184), (0.01, 3, 0.11483180189911707), (0.5, 2, 1.386294361119891),
            (0.99, 4, 13.276704135987622), (0.001, 50, 24.67390527187726), (0.25, 120, 109.21966411577789),
            (1e-6, 2, 2.0000010000006676e-06),
        ])
    func quantiles(probability: Double, degrees: Double, quantile: Double) {
        expectClose(ChiSquare.lowerQuantile(probability, degreesOfFreedom: degrees), quantile, within: 1e-9)
    }

    /// chi2.cdf(chi2.ppf(p, k), k + 2) / p.
    @Test(
        "The variance that is left is that of Morgan and Rubin",
        arguments: [
            (0.01, 2, 2, 0.005016750503357318), (0.01, 10, 2, 0.20595912701682684), (0.01, 5, 3, 0.20595912701682684),
            (0.1, 3, 2, 0.11292514608722432),
        ])
    func remainingVariance(acceptance: Double, rank: Int, arms: Int, left: Double) {
        let criterion = BalanceCriterion(rank: rank, armCount: arms)
        expectClose(criterion.remainingVariance(acceptance: acceptance, r2: 1), left, within: 1e-8)
        expectClose(criterion.remainingVariance(acceptance: acceptance, r2: 0.5), (1 + left) / 2, within: 1e-8)
    }

    /// scipy.integrate.quad(lambda u: chi2.sf(u * u, k) ** n * 2 * u, 0, np.sqrt(chi2.isf(np.exp(-40 / n), k)))[0] / k.
    @Test(
        "The best of several draws leaves the expectation of the least distance",
        arguments: [
            (100, 2, 2, 0.01), (100, 1, 2, 0.00030512898138594294), (100, 5, 3, 0.23337558607663228),
            (1000, 4, 2, 0.020151606463089056), (1, 1, 2, 1), (20, 250, 2, 0.8404290977862543),
            (1_000_000, 1, 2, 3.1415832288327118e-12),
        ])
    func bestOfTries(tries: Int, rank: Int, arms: Int, left: Double) {
        let criterion = BalanceCriterion(rank: rank, armCount: arms)
        expectClose(criterion.remainingVariance(tries: tries), left, within: 1e-8)
    }

    @Test("A quantile accepts its share of random arms", arguments: [2, 3])
    func acceptance(armCount: Int) throws {
        var random = SeededGenerator(seed: armCount)
        let rows = (0..<120).map { _ in (0..<2).map { _ in Double.random(in: -1...1, using: &random) } }
        let whitened = try Whitening(rows).whitened(rows)
        let criterion = BalanceCriterion(rank: 2, armCount: armCount)
        let threshold = criterion.threshold(acceptance: 0.2)
        let draws = 1500
        var accepted = 0
        for _ in 0..<draws {
            var counts = [Double](repeating: 0, count: armCount)
            var sums = Array(repeating: [0.0, 0], count: armCount)
            for row in whitened {
                let arm = random.number(0...armCount - 1)
                counts[arm] += 1
                sums[arm] = zip(sums[arm], row).map(+)
            }
            if criterion.distance(counts: counts, sums: sums) <= threshold { accepted += 1 }
        }
        // 3.29 standard errors of 0.2, and what the distribution is off for 120 units.
        #expect(abs(Double(accepted) / Double(draws) - 0.2) < 0.034 + 0.01)
    }
}

extension Whitening {
    /// The map of rows, from moments that are found one after another.
    init(_ rows: [[Double]]) throws(Fault) {
        let width = rows[0].count
        let count = Double(rows.count)
        let means: [Double] = (0..<width).map { column in rows.map { $0[column] }.reduce(0, +) / count }
        let deviations = rows.map { row in zip(row, means).map { $0 - $1 } }
        var products: [Double] = []
        for column in 0..<width {
            for other in 0..<width { products.append(deviations.reduce(0) { $0 + $1[column] * $1[other] }) }
        }
        try self.init(means: means, products: products, count: rows.count)
    }

    func whitened(_ rows: [[Double]]) -> [[Double]] { rows.map { whitened($0, count: 1) } }
}
