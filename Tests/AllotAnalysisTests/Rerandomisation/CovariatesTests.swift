import AllotCore
import AllotStatistics
import TestSupport
import Testing

@testable import AllotAnalysis

/// Moments and sums of columns, against one row after another.
struct CovariatesTests {
    private static func column(_ name: String, _ values: [String]) -> CovariateColumn {
        var column = CovariateColumn(name)
        for value in values { _ = column.append(Array(value.utf8).span) }
        return column
    }

    @Test("Distances from sums are those of the covariates' inverse covariance", arguments: 0..<20)
    func distances(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let count = random.number(30...60)
        // Numbers with and without gaps, texts of two to five levels with gaps, and a column that another determines.
        let numbers = (0..<count).map { _ in String(random.number(-50...50)) }
        let gaps = (0..<count).map { _ in random.chance(0.2) ? "" : String(Double(random.number(0...9)) / 4) }
        let texts = (0..<2).map { _ in (0..<count).map { _ in ["", "a", "b", "c", "d"][random.number(0...4)] } }
        let doubled = numbers.map { String((Int($0) ?? 0) * 2 + 7) }
        let columns = [
            Self.column("t", texts[0]), Self.column("n", numbers), Self.column("u", texts[1]),
            Self.column("g", gaps), Self.column("d", doubled),
        ]
        let units = Array((0..<count).filter { $0 % 7 != 3 })
        let covariates = try Covariates(columns, of: units)
        #expect(covariates.dropped == ["d"])
        var block = UnitBlock()
        for unit in units { block.append(Array("u\(unit)".utf8)) }
        let arms = units.map { _ in UInt8(random.number(0...2)) }
        guard Set(arms).count == 3 else { return }
        var experiment = ExperimentDefinition.sample("e")
        experiment.variants = (0..<3).map {
            VariantDefinition(key: "v\($0)", buckets: [$0 * 300_000..<($0 + 1) * 300_000], overrides: [:])
        }
        let buckets = ArmBuckets(Plan(Definitions([experiment])).experiments[0])
        let sums = ArmSums([block], covariates.columns, arms: buckets).sums(of: arms)
        let criterion = BalanceCriterion(rank: covariates.whitening.rank, armCount: 3)
        // Of the whitened units, one after another.
        let whitened = covariates.whitenedUnits()
        let rank = covariates.whitening.rank
        var totals = Array(repeating: Array(repeating: 0.0, count: rank), count: 3)
        for (unit, arm) in arms.enumerated() {
            for place in 0..<rank { totals[Int(arm)][place] += whitened[unit * rank + place] }
        }
        let expected = criterion.distance(counts: sums.counts, sums: totals)
        let distance = criterion.distance(counts: sums.counts, sums: covariates.whitened(sums))
        #expect(abs(distance - expected) < 1e-9 * expected)
        // The whitened columns have mean 0 and variance 1, and no correlation.
        for place in 0..<rank {
            for other in 0...place {
                var product = 0.0
                for unit in units.indices { product += whitened[unit * rank + place] * whitened[unit * rank + other] }
                #expect(abs(product / Double(units.count - 1) - (place == other ? 1 : 0)) < 1e-9)
            }
        }
    }

    @Test(
        "A covariate with one value is refused by its name, also one whose mean is rounded",
        arguments: ["3", "0.1", "1e15", "DE", ""])
    func constant(value: String) {
        for count in [7, 2000] {
            let columns = [
                Self.column("n", (0..<count).map(String.init)), Self.column("c", Array(repeating: value, count: count)),
            ]
            #expect {
                try Covariates(columns, of: Array(0..<count))
            } throws: { error in
                "\(error)".contains("has one value for all \(count) units") && "\(error)".contains("\"c")
            }
        }
    }
}
