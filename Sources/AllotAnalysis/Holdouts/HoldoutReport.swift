import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles
import AllotReports
import AllotStatistics

/// The report of `allot holdout`: the size of a holdout, who comes back when it ends, and with data the ratio over
/// time, the dilution, and the difference of metrics with the smallest one that can be found.
///
///     let report = try HoldoutReport("h2-2026", of: plan, at: .now)
///     print(report.lines.joined(separator: "\n"))
package struct HoldoutReport: Sendable {
    let holdout: HoldoutDefinition
    let experiments: [ExperimentDefinition]
    /// For each experiment the shares that its variants have without the holdout, of the units in the audience.
    let shares: [[ExactShare]]
    let counts: HoldoutCounts?
    /// The units with exposures; `nil` if none are given.
    let exposed: ExposedUnits?
    let metrics: [HoldoutMetric]
    /// The ratio of all units, of touched ones, and of weeks if rows have times, corrected for one another.
    let ratios: [HoldoutRatio]
    let alpha: Double

    /// The probability with which the smallest difference is found.
    static let power = 0.8
    static let confidence = 0.95

    /// Studies a holdout.
    ///
    /// - Parameters:
    ///   - instant: the instant of evaluation of what has no time of its own.
    ///   - input: a CSV file with a row for each unit; `nil` for what definitions say alone.
    ///   - exposures: a CSV file of exposures, by which dilution is measured; `nil` to measure it by decisions.
    ///   - alpha: the probability of a false alarm of all ratios together.
    /// - Throws: ``AnalysisError`` for a holdout that is unknown or covers no experiment, and errors of the file.
    package init(
        _ name: String, of plan: Plan, at instant: Instant, input: consuming InputFile? = nil,
        exposures: consuming InputFile? = nil, data: HoldoutData = HoldoutData(), alpha: Double = RatioTest.threshold,
        progress: (_ bytesRead: Int) -> Void = { _ in }
    ) throws {
        let holdouts = plan.definitions.holdouts
        guard let holdout = holdouts.first(where: { UTF8Order.areEqual($0.name, name) }) else {
            throw AnalysisError.unknown("holdout", name, among: holdouts.map(\.name))
        }
        var definitions = plan.definitions
        definitions.holdouts.removeAll { UTF8Order.areEqual($0.name, name) }
        let released = Plan(definitions)
        let covered = definitions.experiments.indices.filter { holdout.covers(definitions.experiments[$0]) }
        guard !covered.isEmpty else {
            throw AnalysisError("the holdout \(name) covers no experiment, so there is nothing to compare")
        }
        let index = DefinitionsIndex(released.definitions)
        self.holdout = holdout
        self.alpha = alpha
        experiments = covered.map { released.definitions.experiments[$0] }
        shares = experiments.map { AssignmentRegions($0, in: index, at: instant).shares }
        guard let input else {
            (counts, exposed, metrics, ratios) = (nil, nil, [], [])
            return
        }
        exposed =
            if let exposures { try ExposedUnits(exposures, data, of: released, covered, at: instant) } else { nil }
        let counts = try HoldoutCounts(
            input, data, holdout: holdout, released: released, covered: covered, at: instant, exposed: exposed,
            progress: progress)
        guard counts.heldOut.unitCount + counts.others.unitCount > 0 else {
            throw AnalysisError("\(counts.fileName) has no row with a \(PrintableText(holdout.unit)) that counts")
        }
        metrics = data.metrics.enumerated().flatMap { index, name in
            [
                HoldoutMetric(name, isOfTouched: false, counts.heldOut.all[index], counts.others.all[index]),
                HoldoutMetric(name, isOfTouched: true, counts.heldOut.touched[index], counts.others.touched[index]),
            ]
        }
        ratios = HoldoutRatio.all(of: counts, share: Double(holdout.share) / Double(holdout.hash.resolution))
        self.counts = counts
    }

    /// Whether a ratio is another one than the holdout's share.
    package var isMismatch: Bool { ratios.contains { $0.adjusted < PValue(alpha) } }
}

/// A metric on both sides of a holdout, of all units or of those that experiments touch.
struct HoldoutMetric: Sendable {
    let name: String
    let isOfTouched: Bool
    let heldOut: SampleMoments
    let others: SampleMoments
    /// The others' mean less that of units that are held out: the effect of all experiments together. `nil` where
    /// there are too few numbers.
    let comparison: WelchTest?
    /// From this number of units on, means of most metrics are nearly normal.
    static let plenty = 1000

    /// The smallest difference that is found with the usual power; `nil` where there are too few numbers.
    let detectable: Double?

    init(_ name: String, isOfTouched: Bool, _ heldOut: SampleMoments, _ others: SampleMoments) {
        (self.name, self.isOfTouched, self.heldOut, self.others) = (name, isOfTouched, heldOut, others)
        let test = WelchTest(control: heldOut.estimate, treatment: others.estimate)
        guard heldOut.count >= 2, others.count >= 2, test.squaredError > 0 else {
            (comparison, detectable) = (nil, nil)
            return
        }
        comparison = test
        // Both sides, as their means hardly move it.
        let deviation = (heldOut + others).variance.squareRoot()
        let sizes = [heldOut.count, others.count]
        detectable = try? PowerAnalysis(
            metric: MeanMetric(standardDeviation: deviation), allocation: Allocation(weights: sizes.map(Double.init)),
            significance: 1 - HoldoutReport.confidence
        ).detectableEffect(sizes: sizes, power: HoldoutReport.power)
    }
}

/// The share of some units that is held out, against the holdout's.
struct HoldoutRatio: Sendable {
    enum Part: Sendable, Hashable {
        case all
        case touched
        /// The week that begins on a day since 1970.
        case week(Int)
    }

    let part: Part
    let heldOut: Int
    let unitCount: Int
    /// The exact binomial test, or Pearson's where many units are expected.
    let pValue: PValue
    /// The p-value after Holm's correction for all ratios.
    var adjusted: PValue

    private init?(_ part: Part, heldOut: Int, others: Int, share: Double) {
        guard heldOut + others > 0, share > 0, share < 1 else { return nil }
        let (observed, shares) = ([heldOut, others], [share, 1 - share])
        let isFew = Double(heldOut + others) * min(share, 1 - share) < 1000
        guard
            let pValue = isFew
                ? (try? MultinomialTest(counts: observed, shares: shares))?.pValue
                : (try? ChiSquare(counts: observed, shares: shares))?.pValue
        else { return nil }
        (self.part, self.heldOut, unitCount, self.pValue, adjusted) = (part, heldOut, heldOut + others, pValue, pValue)
    }

    /// The ratios of counts. Weeks begin with the first day of the data.
    static func all(of counts: HoldoutCounts, share: Double) -> [HoldoutRatio] {
        let (held, rest) = (counts.heldOut, counts.others)
        var weeks: [Int: (heldOut: Int, others: Int)] = [:]
        let first = counts.days.keys.min() ?? 0
        for (day, units) in counts.days {
            weeks[(day - first) / 7, default: (0, 0)].heldOut += units.heldOut
            weeks[(day - first) / 7, default: (0, 0)].others += units.others
        }
        var ratios = [
            HoldoutRatio(.all, heldOut: held.unitCount, others: rest.unitCount, share: share),
            HoldoutRatio(.touched, heldOut: held.touchedCount, others: rest.touchedCount, share: share),
        ].compactMap(\.self)
        ratios += weeks.sorted { $0.key < $1.key }.compactMap { week, units in
            HoldoutRatio(.week(first + week * 7), heldOut: units.heldOut, others: units.others, share: share)
        }
        for (index, pValue) in Holm.adjusted(ratios.map(\.pValue)).enumerated() { ratios[index].adjusted = pValue }
        return ratios
    }
}
