import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// The units that an experiment would choose from, with their values: single units, or clusters of them.
struct PlanningData: Sendable {
    /// Which units belong together.
    struct Groups: Sendable {
        /// The units that count.
        let kept: [Int]
        /// By unit its group; the number of the groups is `ids.count`.
        let groupOf: [Int]
        /// By group its number of units, and its first moment in seconds since the first of all.
        let sizes: [Double]
        let arrivals: [Double]
        /// By group the number of its ID.
        let ids: [Int]
        let isClustered: Bool
        /// The windows that are randomised together; `nil` where each group is randomised alone.
        var pairs: [PlanningWindows.Pair]?

        init(kept: [Int], clusters: [Int]?, arrivals moments: [Double]) {
            self.kept = kept
            isClustered = clusters != nil
            var groupOf = Array(repeating: -1, count: moments.count)
            var (sizes, arrivals, ids): ([Double], [Double], [Int]) = ([], [], [])
            var known: [Int: Int] = [:]
            for unit in kept {
                let id = clusters?[unit] ?? unit
                let group = clusters == nil ? sizes.count : known[id] ?? sizes.count
                if group == sizes.count {
                    if clusters != nil { known[id] = group }
                    sizes.append(0)
                    arrivals.append(moments[unit])
                    ids.append(id)
                }
                groupOf[unit] = group
                sizes[group] += 1
                arrivals[group] = min(arrivals[group], moments[unit])
            }
            (self.groupOf, self.sizes, self.arrivals, self.ids) = (groupOf, sizes, arrivals, ids)
        }

        var count: Int { sizes.count }
        var largest: Int { Int(sizes.max() ?? 0) }

        /// The sums of values by group.
        func sums(_ values: [Double]) -> [Double] {
            var sums = Array(repeating: 0.0, count: count)
            for unit in kept { sums[groupOf[unit]] += values[unit] }
            return sums
        }
    }

    /// The IDs that are hashed, in blocks of ``blockLength``.
    let blocks: [UnitBlock]
    /// By unit, cluster or pair, its first moment in seconds since the first of all.
    let arrivals: [Double]
    /// By pair the numbers of its windows among the clusters; `nil` without pairs.
    let pairs: [PlanningWindows.Pair]?
    let metrics: [PlannedMetric]
    let hasTimes: Bool
    let rowCount: Int
    /// The number of single units.
    let unitCount: Int
    /// The number of clusters; `nil` where units are single.
    let clusterCount: Int?
    let largestCluster: Int
    /// The number of rows that are left out at the start of a window; `nil` without a period.
    let washedOutCount: Int?
    /// By reason the number of rows.
    let reasons: [Int]
    let name: String
    let notes: [String]

    static let blockLength = 1 << 14

    init(
        ids: UnitBlock, _ groups: Groups, metrics: [PlannedMetric], hasTimes: Bool, rowCount: Int,
        washedOutCount: Int?, reasons: [Int], name: String, notes: [String]
    ) {
        var blocks: [UnitBlock] = []
        // Both windows of a pair have one ID.
        for (number, group) in (groups.pairs?.map(\.even) ?? Array(0..<groups.count)).enumerated() {
            if number.isMultiple(of: Self.blockLength) { blocks.append(UnitBlock()) }
            blocks[blocks.count - 1].append(ids.bytes[ids[groups.ids[group]]])
        }
        self.blocks = blocks
        arrivals = groups.pairs?.map { min(groups.arrivals[$0.even], groups.arrivals[$0.odd]) } ?? groups.arrivals
        (pairs, self.metrics, self.hasTimes) = (groups.pairs, metrics, hasTimes)
        (self.rowCount, unitCount, self.washedOutCount) = (rowCount, groups.kept.count, washedOutCount)
        (clusterCount, largestCluster) = (groups.isClustered ? groups.count : nil, groups.largest)
        (self.reasons, self.name, self.notes) = (reasons, name, notes)
    }

    /// The number of units, clusters or pairs that are randomised.
    var count: Int { arrivals.count }

    /// The noun for what is analysed, or is paired.
    var unitName: String { washedOutCount != nil ? "window" : clusterCount != nil ? "cluster" : "unit" }

    /// The number of days from the first unit to the last one.
    var days: Double { (arrivals.max() ?? 0) / 86_400 }

    /// By unit, cluster or pair the week of its arrival, from 0.
    func week(_ number: Int) -> Int { Int(arrivals[number] / (7 * 86_400)) }

    var weekCount: Int { arrivals.indices.reduce(0) { max($0, week($1)) } + 1 }
}

/// A metric with its values and what they say about its variance.
struct PlannedMetric: Sendable {
    let question: PowerDataQuestion.Metric
    /// The mean, or the ratio of two sums.
    let ratio: Double
    /// By unit or cluster its value less the ratio times its size.
    let residuals: [Double]
    /// By unit or cluster its denominator; `nil` where all are 1.
    let sizes: [Double]?
    /// By unit or cluster its covariate, less the mean; `nil` without one.
    let covariates: [Double]?
    /// The variance that one unit or cluster contributes to the mean or ratio: divided by a number of them it is the
    /// square of the standard error.
    let variance: Double
    let skewness: Double
    /// The correlation with the covariate.
    let correlation: Double?
    /// The correlation of the two windows of a pair; `nil` without pairs.
    let pairCorrelation: Double?
    /// The variance with clusters, divided by that of as many single units.
    let designEffect: Double?
    /// Whether an effect multiplies values: if none is below 0 and some are others than 0 and 1.
    let isMultiplied: Bool
    let missingNote: String?

    init(
        _ question: PowerDataQuestion.Metric, values: [Double], ratio denominators: [Double]?, before: [Double]?,
        _ groups: PlanningData.Groups
    ) throws(AnalysisError) {
        let name = QuotedText(question.name)
        let totals = groups.sums(values)
        let sizes = denominators.map(groups.sums) ?? (groups.isClustered ? groups.sizes : nil)
        if let denominators, let unit = groups.kept.first(where: { denominators[$0] < 0 }) {
            throw AnalysisError("the denominator of \(name) is \(denominators[unit]) for a unit; it is 0 or more")
        }
        let count = Double(groups.count)
        let size = (sizes.map { $0.reduce(0, +) } ?? count) / count
        guard size > 0 else { throw AnalysisError("the denominator of \(name) is 0 for every unit") }
        let ratio = totals.reduce(0, +) / count / size
        let residuals = totals.indices.map { totals[$0] - ratio * (sizes?[$0] ?? 1) }
        let moments = SampleMoments(residuals)
        guard moments.variance > 1e-24 * ratio * ratio * size * size, moments.variance > 0 else {
            throw AnalysisError("\(name) is the same for every unit; no experiment changes the variance of a constant")
        }
        (self.question, self.ratio, self.residuals, self.sizes) = (question, ratio, residuals, sizes)
        variance = moments.variance / (size * size)
        skewness = SampleMoments.skewness(of: residuals)
        // Which window is the treatment is random, so that squares count, not those around a mean.
        pairCorrelation = groups.pairs.map { pairs in
            let squares = pairs.reduce(0) { sum, pair in
                let difference = residuals[pair.even] - residuals[pair.odd]
                return sum + difference * difference
            }
            return 1 - squares / Double(pairs.count) / (2 * moments.variance)
        }
        if pairCorrelation == 1 {
            throw AnalysisError("\(name) is the same in both windows of every pair; there is no variance to plan with")
        }
        isMultiplied =
            ratio > 0 && groups.kept.allSatisfy { values[$0] >= 0 }
            && groups.kept.contains { values[$0] != 0 && values[$0] != 1 }
        let single = groups.isClustered ? groups.kept.map { values[$0] - ratio * (denominators?[$0] ?? 1) } : []
        let alone = SampleMoments(single).variance * Double(single.count)
        designEffect = alone > 0 ? moments.variance * count / alone : nil
        guard let before else {
            (covariates, correlation, missingNote) = (nil, nil, nil)
            return
        }
        let known = groups.kept.filter { before[$0].isFinite }
        let mean = known.reduce(0) { $0 + before[$1] } / Double(max(known.count, 1))
        // A unit that was not there before has the mean, which adjusts nothing.
        let centred = groups.sums(before.map { $0.isFinite ? $0 - mean : 0 })
        let column = QuotedText(question.before ?? "")
        guard SampleMoments(centred).variance > 0 else {
            throw AnalysisError("\(column) is the same for every unit, so that it adjusts nothing; leave it out")
        }
        let correlation = SampleMoments.correlation(residuals, centred)
        guard correlation * correlation < 1 - 1e-12 else {
            throw AnalysisError(
                "\(column) says all of \(name), so that no variance is left to plan with; name what was known before "
                    + "the experiment")
        }
        (covariates, self.correlation) = (centred, correlation)
        let missing = groups.kept.count - known.count
        let lacking = "\(NumberFormat.countedInGroups(missing, "unit")) without \(column)"
        missingNote = missing == 0 ? nil : "\(lacking) \(missing == 1 ? "has" : "have") its mean."
    }

    /// The variance that remains after the adjustment by the covariate, or within pairs.
    var adjustedVariance: Double { variance * (1 - (pairCorrelation ?? (correlation ?? 0) * (correlation ?? 0))) }

    /// The number of units an arm needs so that its mean is nearly normal. Differences within pairs of random order
    /// are not skewed.
    var unitsForNormality: Double { pairCorrelation == nil ? SampleMoments.unitsForNormality(skewness: skewness) : 0 }

    /// The planned test of one look.
    func design(_ comparison: SampleComparison, treatmentFactor: Double = 1) -> WelchDesign {
        guard let pairCorrelation else {
            return WelchDesign(comparison, variance: adjustedVariance, treatmentFactor: treatmentFactor)
        }
        return WelchDesign(
            pairs: comparison, variance: variance, correlation: pairCorrelation, treatmentFactor: treatmentFactor)
    }

    /// The effect as a change of the values of a treatment.
    func injected(change: Double, isRelative: Bool) -> InjectedEffect {
        ratio > 0 && (isRelative || isMultiplied) ? .multiplied(change / ratio) : .added(change)
    }
}
