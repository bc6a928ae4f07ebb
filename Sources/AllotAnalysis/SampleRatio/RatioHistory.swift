import Allot
import AllotConfiguration
import AllotStatistics
import RealModule

/// The ratio of an experiment's units from day to day: how many had met each variant at the end of each day, and what
/// the tests say then.
///
/// It is the test of `allot srm` on the units of one revision of a definition and of one randomisation. The
/// always-valid test looks once a day, as the units of a day are all that is known of their order.
package struct RatioHistory: Sendable {
    /// The state at the end of a day that has new units.
    package struct Day: Sendable {
        /// Counted from 1970-01-01.
        package let day: Int
        /// The new units of each variant.
        package let units: [Int]
        /// The units of each variant so far.
        package let totals: [Int]
        /// What the test of the units so far says, as if nobody looked on any other day; `nil` on days with few units,
        /// except for the last one.
        let fixed: PValue?
        /// The smallest p-value of the always-valid test so far.
        let sequential: PValue

        /// The negative decimal logarithms of both p-values; infinite for impossible units.
        package var evidence: (fixed: Double?, sequential: Double) {
            (fixed.map(RatioHistory.evidence), RatioHistory.evidence(sequential))
        }

        /// Both p-values as text.
        package var texts: (fixed: String?, sequential: String) { (fixed?.description, sequential.description) }
    }

    /// The variants and their expected shares.
    package let shares: VariantShares
    /// In order.
    package let days: [Day]
    /// The test of all units; `nil` if no unit met a variant that has a share.
    package let test: RatioTest?
    /// Variants that units met although their share is 0, or the definition does not have them.
    package let impossible: [String]
    /// The first day on which the always-valid test was below the threshold.
    package let crossing: Int?
    /// Below this p-value a mismatch is detected.
    package let threshold: Double

    /// Tests the units of each day.
    ///
    /// - Parameters:
    ///   - days: for each day, in order, the new units of each variant of the shares.
    ///   - unknown: variants that units met and that have no share, because the definition does not have them.
    package init(
        _ shares: VariantShares, days: [(day: Int, units: [Int])], unknown: [String] = [],
        threshold: Double = RatioTest.threshold
    ) {
        self.shares = shares
        self.threshold = threshold
        let weights = shares.exactWeights
        var trace = SequentialTrace(weights: weights, threshold: PValue(threshold))
        var totals = weights.map { _ in 0 }
        var crossing: Int?
        var lastTest: RatioTest?
        let least = weights.filter { $0 > 0 }.min() ?? 0
        let sum = weights.reduce(0, +)
        self.days = days.enumerated().map { index, element in
            let (day, units) = element
            for variant in weights.indices {
                totals[variant] += units[variant]
                guard weights[variant] > 0, units[variant] > 0 else { continue }
                trace?.observe(variant, count: units[variant], step: day)
            }
            trace?.endMoment()
            if crossing == nil, trace?.crossing != nil { crossing = day }
            // The exact test of few units takes its time: only the last day has it.
            let isLarge = Double(totals.reduce(0, +)) * least >= RatioTest.fewestExpected * sum
            let isLast = index == days.count - 1
            lastTest = isLarge || isLast ? RatioTest(counts: totals, shares: weights, isQuick: !isLast) : nil
            return Day(
                day: day, units: units, totals: totals, fixed: lastTest?.pValue,
                sequential: trace?.pValue ?? PValue(1))
        }
        self.crossing = crossing
        test = lastTest
        impossible = weights.indices.filter { weights[$0] == 0 && totals[$0] > 0 }.map { shares.variants[$0] } + unknown
    }

    /// Whether the ratio is not to be trusted.
    package var isMismatch: Bool {
        !impossible.isEmpty || crossing != nil || (test.map { $0.pValue < PValue(threshold) } ?? false)
    }

    /// Whether the ratio is unusual, although no mismatch is detected.
    package var isUnusual: Bool { !isMismatch && (test?.isUnusual ?? false) }

    /// The result in a sentence: `no sign of a sample ratio mismatch (p = 0.4231): …`.
    package var sentence: String {
        guard impossible.isEmpty else {
            let names = impossible.quoted(atMost: 5)
            return RatioTest.mismatchText("(units in a variant that has no share: \(names)): ")
        }
        guard let test, let last = days.last else { return "no unit to test yet" }
        let p = "p = \(test.pValue)"
        if test.pValue < PValue(threshold) { return RatioTest.mismatchText("(\(p)): ") }
        if crossing != nil {
            return RatioTest.mismatchText(
                "(p = \(last.sequential), valid on every day, though all units together have \(p)): ")
        }
        return test.calmText(threshold: threshold)
    }

    /// The statistic of the test of all units, with its p-value.
    package var statistic: String? { test?.statisticText(threshold: thresholdText) }

    /// The negative decimal logarithm of the threshold.
    package var thresholdEvidence: Double { Self.evidence(PValue(threshold)) }

    /// The threshold as text.
    package var thresholdText: String { NumberFormat.shortest(threshold) }

    /// The negative decimal logarithm of a p-value.
    private static func evidence(_ pValue: PValue) -> Double { max(0, -pValue.logarithm / .log(10)) }
}
