import Allot
import AllotStatistics

extension ComparisonTable {
    /// What a perfect hash would show, with bounds that chance exceeds once in a thousand tables.
    ///
    /// - Parameter summary: of any system; how many tests there were, and the exact rates.
    public func expectation(like summary: SystemSummary) -> String {
        let exceeded = Normal.upperQuantile(0.0005)
        let means = Double(summary.shares.count)
        let mean = exceeded * (1 / (12 * means)).squareRoot()
        // All pairs of one shape have the same units; Bonferroni's bound needs no independence.
        let pairs = Double(summary.report.samples.reduce(0) { $0 + $1.pairs.count })
        let largest = Normal.upperQuantile(0.0005 / max(pairs, 1)) / Double(settings.unitCount).squareRoot()
        let single = exceeded / Double(settings.unitCount).squareRoot()
        let rates = summary.falsePositives.map { rate in
            let deviation = (rate.attained * (1 - rate.attained) / Double(max(rate.comparisonCount, 1))).squareRoot()
            return "\(Self.text(rate.attained * 100, 2)) ± \(Self.text(exceeded * deviation * 100, 2))"
        }
        let level = "≥ \(Self.text(PValue(summary.report.alarmLevel)))"
        return Self.row([
            "*a perfect hash*", "", "0.500 ± \(Self.text(mean, 3))", level, level, "0 ± \(Self.text(single, 3))",
            "0 ± \(Self.text(largest, 3))", rates.joined(separator: " / "), level, "", "passes",
        ])
    }

    /// What was done, for the reader of the table.
    ///
    /// - Parameters:
    ///   - summary: of any system.
    ///   - systemCount: the number of systems.
    public func legend(like summary: SystemSummary, systemCount: Int) -> String {
        let level = summary.report.alarmLevel
        let shapes = settings.shapes.map(\.rawValue).joined(separator: ", ")
        return """
            Each of \(RealisticSalts.all.count) salts (`exp-1` … `exp-20`, dates, words, numbers) splits \
            \(Self.grouped(settings.unitCount)) unit IDs of each of \(settings.shapes.count) shapes (\(shapes)) in \
            halves. Chi-square of the halves; of the buckets, for each salt in at most 1,000 equal cells and for all \
            together in as many as the system has; and of independence for all pairs of salts (φ is the correlation \
            of the halves, on UUIDs where no shape is named). A/A: \
            \(Self.grouped(settings.trialSaltCount)) more salts split \(Self.grouped(settings.trialUnitCount)) units \
            of each shape; the rates are those of the chi-square test, and KS (Kolmogorov–Smirnov) tests whether \
            exact, randomised p-values are uniform. \
            Smallest p-values, and those of KS, are after Holm's correction for all \
            \(Self.grouped(summary.report.testCount)) tests of the system; it fails when one is below \
            \(Self.text(PValue(level))), so that chance alone fails any of \(systemCount) perfect systems in at most \
            \(Self.text(min(level * Double(systemCount), 1) * 100, 1)) % of such tables. ns: a UUID in blocks of \
            16,384 on one core, in Swift as written here, not in the vendor's SDK. Seed \(settings.seed).
            """
    }
}
