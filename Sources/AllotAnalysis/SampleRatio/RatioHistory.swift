import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics
import RealModule

/// The ratio of an experiment's units from day to day, of one revision and one randomisation, by the tests of
/// `allot srm`.
///
/// The always-valid test decides, because people look at pages every day; it looks once a day, as nothing else is known
/// of the units' order. The test of all units, which is valid for a single look, is shown next to it.
package struct RatioHistory: Sendable {
    package struct Day: Sendable {
        /// Counted from 1970-01-01.
        package let day: Int
        package let units: [Int]
        package let totals: [Int]
        /// The test of the units so far, as if it were the only look; `nil` on days with few units, except for the last
        /// one.
        let fixed: PValue?
        /// The smallest p-value of the always-valid test so far.
        let sequential: PValue

        /// The negative decimal logarithms of both p-values; infinite for impossible units.
        package var evidence: (fixed: Double?, sequential: Double) {
            (fixed.map(RatioHistory.evidence), RatioHistory.evidence(sequential))
        }

        package var texts: (fixed: String?, sequential: String) { (fixed?.description, sequential.description) }
    }

    package let shares: VariantShares
    package let days: [Day]
    /// The test of all units; `nil` if no unit met a variant that has a share.
    package let test: RatioTest?
    /// Variants that units met although their share is 0, or the definition does not have them.
    package let impossible: [String]
    /// The first day on which the always-valid test was below the threshold.
    package let crossing: Int?
    package let threshold: Double

    /// Tests the units of each day.
    /// - Parameters:
    ///   - days: for each day, in order, the new units of each variant of the shares.
    ///   - unknown: variants that units met and that have no share, because the definition does not have them.
    ///   - threshold: the level of the always-valid test; `Plan.ratioLevel` where experiments are watched together.
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
                day: day, units: units, totals: totals, fixed: lastTest?.pValue, sequential: trace?.pValue ?? PValue(1))
        }
        self.crossing = crossing
        test = lastTest
        impossible = weights.indices.filter { weights[$0] == 0 && totals[$0] > 0 }.map { shares.variants[$0] } + unknown
    }

    package var isMismatch: Bool { !impossible.isEmpty || crossing != nil }

    /// Whether the ratio is unusual, although no mismatch is detected.
    package var isUnusual: Bool { !isMismatch && (days.last.map { $0.sequential < unusual } ?? false) }

    /// The p-value below which the ratio is unusual. Experiments that are watched together share it, as they share the
    /// threshold: otherwise one in a hundred of them would be unusual for good.
    private var unusual: PValue { PValue(10 * threshold) }

    /// The result in a sentence: `no sign of a sample ratio mismatch (p = 0.4231): …`.
    package var sentence: String {
        if let impossibleText { return RatioTest.mismatchText("(\(impossibleText)): ") }
        guard let test, let last = days.last else { return "no unit to test yet" }
        if crossing != nil {
            let note = test.pValue < PValue(threshold) ? "" : ", though all units together have p = \(test.pValue)"
            return RatioTest.mismatchText("(p = \(last.sequential), valid on every day\(note)): ")
        }
        let level = SequentialRatioTest.equivalentLevel(
            threshold, units: test.expected.reduce(0, +), degreesOfFreedom: test.chiSquare.degreesOfFreedom)
        return RatioTest.calmText(
            last.sequential, unusual: unusual, threshold: thresholdText, test.sensitivityText(threshold: level))
    }

    /// The finding that decides: units in impossible variants, or the p-value with the threshold; `nil` without units.
    package var finding: String? {
        impossibleText ?? days.last.map { "p = \($0.sequential), valid on every day (threshold \(thresholdText))" }
    }

    private var impossibleText: String? {
        impossible.isEmpty ? nil : "units in a variant that has no share: \(impossible.quoted(atMost: 5))"
    }

    package var statistic: String? { test?.statisticText }
    package var thresholdEvidence: Double { Self.evidence(PValue(threshold)) }
    package var thresholdText: String { RatioTest.text(ofLevel: threshold, sharing: RatioTest.threshold) }
    package var thresholdNumber: String { NumberFormat.significant(threshold, 2) }

    private static func evidence(_ pValue: PValue) -> Double { max(0, -pValue.logarithm / .log(10)) }
}

extension Plan {
    /// The level of the ratio test of each experiment where those of all are watched together.
    ///
    /// The usual threshold is shared equally among the experiments that have a ratio and are more than a draft, so that
    /// it bounds the probability that any of them is reported although its shares are true. Paused and concluded ones
    /// count, as they have units: pausing or concluding an experiment changes no verdict. Starting one lowers the level
    /// of all, and removing one raises it. Complexity: linear in the variants.
    package var ratioLevel: Double {
        let count = experiments.count { experiment in
            experiment.status != .draft && experiment.draw != nil
                && experiment.variants.count { $0.bucketCount > 0 } > 1
        }
        return RatioTest.threshold / Double(max(count, 1))
    }
}
