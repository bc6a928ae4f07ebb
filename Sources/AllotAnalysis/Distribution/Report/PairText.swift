import AllotStatistics

/// The pairs of a sample for a terminal.
enum PairText {
    /// The p-values that pairs are counted below.
    static let thresholds = [0.5, 0.1, 0.01, 0.001, 0.0001]

    static func lines(of sample: DistributionSample, shown: Int) -> [String] {
        let tested = sample.testedPairs
        var lines = [
            "Independence of \(NumberText.counted(sample.pairs.count, "pair")) of randomisations (cross tables of their "
                + "categories)"
        ]
        let shared = sample.pairs.count { $0.sharesSalt }
        if shared > 0 {
            lines.append("    \(NumberText.counted(shared, "pair")) not judged by chance: they share a salt")
        }
        let untested = sample.pairs.count - shared - tested.count
        if untested > 0 { lines.append("    \(NumberText.counted(untested, "pair")) \(TestText.untested)") }
        guard !tested.isEmpty else { return lines }
        let rows = thresholds.map { threshold in
            [
                "p below \(NumberText.percent(threshold))",
                NumberText.grouped(tested.count { $0.test.pValue < PValue(threshold) }),
                "expected \(NumberText.fixed(Double(tested.count) * threshold, 1))",
            ]
        }
        lines += TextCells.table(rows, numbers: [1, 2])
        lines.append("    the smallest p-values")
        let names = sample.divisions.map(\.randomisation.name)
        lines += TextCells.table(
            tested.prefix(shown).map { pair, test in
                [
                    "\(names[pair.left]) × \(names[pair.right])", "χ² = \(NumberText.fixed(test.statistic, 2))",
                    "\(test.degreesOfFreedom) df", "p = \(test.pValue)", "adjusted \(test.adjustedPValue)",
                    "φ = \(NumberText.signed(pair.phi, 5))",
                ]
            }, numbers: [1, 2], indent: 6)
        return lines
    }
}

extension DistributionSample {
    /// The pairs that were tested, the smallest p-value first.
    var testedPairs: [(pair: PairResult, test: TestResult)] {
        pairs.filter { !$0.sharesSalt }.compactMap { pair in pair.test.map { (pair, $0) } }
            .sorted { $0.1.pValue == $1.1.pValue ? $0.0.crossOffset < $1.0.crossOffset : $0.1.pValue < $1.1.pValue }
    }
}
