import AllotConfiguration
import AllotCore
import AllotReports
import AllotStatistics

/// The plan of an experiment from data: what it can find, week after week.
package struct PowerFromData: Sendable {
    /// The arms of the experiment that have buckets, the control first.
    struct Arms: Sendable {
        let names: [String]
        /// The share of the enrolled units.
        let shares: [Double]
        /// By second bucket of 1,000,000 the number of its arm; ``unowned`` for none.
        let owners: [UInt8]

        static let unowned = UInt8.max
    }

    /// The findings of one metric after a number of weeks.
    struct Finding: Sendable {
        /// The smallest change that one look at the end finds, adjusted by the covariate if there is one.
        let fixed: Double
        /// This change without adjustment; `nil` without a covariate.
        let unadjusted: Double?
        /// The smallest change that the always-valid test finds at this look.
        let sequential: Double
        /// The smallest margin with which a treatment without effect is shown not to be inferior.
        let margin: Double
        /// The power for the given effect, by one look and by the always-valid test at this look.
        let power: (fixed: Double, sequential: Double)
        /// The power for the given margin.
        let powerOfMargin: Double?
    }

    struct Week: Sendable {
        let number: Int
        /// The expected number of units of each arm.
        let sizes: [Double]
        /// By metric; `nil` where an arm has fewer than two units.
        let findings: [Finding]?
    }

    let question: PowerDataQuestion
    let data: PlanningData
    let arms: Arms
    /// The treatment that has the fewest units: it decides.
    let smallest: Int
    /// By unit, cluster or pair the number of first buckets that are enrolled at its arrival.
    let limits: [UInt32]
    /// The level of each comparison at the end, and of each in the always-valid test.
    let level: (fixed: Double, sequential: Double)
    private(set) var weeks: [Week] = []
    /// By metric the change whose power is shown: the given one, or the smallest that is found in the end.
    let changes: [Double]
    let effects: [InjectedEffect]
    /// By metric the margin of non-inferiority, if one is given.
    let margins: [Double]?
    /// By metric the mixture of the always-valid test.
    let mixtures: [NormalMixture]
    /// The results of the replay, if there was one.
    package internal(set) var replay: Replay?

    init(_ question: PowerDataQuestion, _ data: PlanningData) throws {
        (self.question, self.data) = (question, data)
        let definition = question.definition
        let arms = try Arms(definition)
        let limits = Self.limits(data, of: definition)
        let allocation = try Allocation(weights: arms.shares)
        let treatments = arms.shares.indices.dropFirst()
        let smallest = treatments.min { arms.shares[$0] < arms.shares[$1] } ?? 1
        let each = question.alpha / Double(question.metrics.count)
        let level = (
            fixed: question.correction.comparisonSignificance(each, of: allocation, question.sides),
            sequential: question.correction == .none ? each : each / Double(treatments.count)
        )
        guard question.power > level.fixed, question.power < 1 else {
            throw PowerError.trivialPower(power: question.power, significance: level.fixed)
        }
        let sizes = Self.sizes(data, limits, arms)
        let total = sizes.last ?? []
        guard let fewest = total.min(), fewest >= 2 else {
            throw AnalysisError(
                "\(definition.key) has \(counted(arms.names.count, "variant")), and the data have "
                    + "\(NumberFormat.significant(total.reduce(0, +), 6)) units to enrol; each variant needs two or "
                    + "more"
            )
        }
        let comparison = Self.comparison(total, smallest, level.fixed, question.sides)
        mixtures = data.metrics.map {
            NormalMixture(significance: level.sequential, tunedTo: $0.design(comparison).squaredError)
        }
        let changes = try data.metrics.map { metric throws in
            try question.change(of: metric) ?? metric.design(comparison).detectableEffect(power: question.power)
        }
        let isRelative = question.relativeEffect != nil || question.effect?.isPercentage == true
        effects = zip(data.metrics, changes).map { $0.injected(change: $1, isRelative: isRelative) }
        margins = try question.margin.map { margin in try data.metrics.map { try question.margin(margin, of: $0) } }
        (self.arms, self.smallest) = (arms, smallest)
        (self.limits, self.level, self.changes) = (limits, level, changes)
        weeks = sizes.enumerated().map { week, sizes in
            Week(number: week + 1, sizes: sizes, findings: (sizes.min() ?? 0) < 2 ? nil : findings(sizes))
        }
    }

    private func findings(_ sizes: [Double]) -> [Finding] {
        let comparison = Self.comparison(sizes, smallest, level.fixed, question.sides)
        return data.metrics.indices.map { index in
            let metric = data.metrics[index]
            let design = metric.design(comparison)
            let plain = metric.correlation.map { _ in WelchDesign(comparison, variance: metric.variance) }
            let changed = metric.design(comparison, treatmentFactor: effects[index].varianceFactor)
            return Finding(
                fixed: design.detectableEffect(power: question.power),
                unadjusted: plain?.detectableEffect(power: question.power),
                sequential: mixtures[index].detectableEffect(power: question.power, squaredError: design.squaredError),
                margin: design.detectableMargin(power: question.power),
                power: (
                    changed.power(effect: changes[index]),
                    mixtures[index].power(effect: changes[index], squaredError: changed.squaredError)
                ),
                powerOfMargin: margins.map { design.powerOfNonInferiority(margin: $0[index]) })
        }
    }

    private static func comparison(
        _ sizes: [Double], _ smallest: Int, _ level: Double, _ sides: TestSides
    ) -> SampleComparison {
        SampleComparison(control: sizes[0], treatment: sizes[smallest], significance: level, sides: sides)
    }

    /// By week the expected number of units, clusters or windows of each arm, of all that have arrived by then.
    private static func sizes(_ data: PlanningData, _ limits: [UInt32], _ arms: Arms) -> [[Double]] {
        var enrolled = Array(repeating: 0.0, count: data.weekCount)
        for number in limits.indices { enrolled[data.week(number)] += Double(limits[number]) }
        var sum = 0.0
        // Each arm has one window of a pair.
        let each = data.pairs == nil ? 1.0 : 2
        let owned = each * Double(arms.owners.count { $0 != Arms.unowned }) / Double(arms.owners.count)
        return enrolled.map { buckets in
            sum += buckets / Double(Bucketing.bucketCount)
            return arms.shares.map { sum * owned * $0 }
        }
    }

    /// The traffic at the arrival of each unit, as if the experiment had begun with the first one; without times its
    /// largest share.
    private static func limits(_ data: PlanningData, of definition: Plan.Experiment) -> [UInt32] {
        guard definition.drawsTraffic else {
            return Array(repeating: UInt32(Bucketing.bucketCount), count: data.count)
        }
        let traffic = definition.traffic.limited(to: definition.schedule)
        let begin = definition.enrolment.starts ?? traffic.steps.first?.from
        guard data.hasTimes, let begin else {
            return Array(repeating: UInt32(traffic.highestShare), count: data.count)
        }
        return data.arrivals.map { seconds in
            UInt32(traffic.share(at: Instant(seconds: begin.seconds + Int64(seconds), nanoseconds: begin.nanoseconds)))
        }
    }
}

extension PowerFromData.Arms {
    fileprivate init(_ definition: Plan.Experiment) throws(AnalysisError) {
        let variants = definition.variants.filter { $0.bucketCount > 0 }
        guard variants.count > 1 else {
            throw AnalysisError(
                "\(definition.key) has \(counted(variants.count, "variant")) with a share; a comparison needs two or "
                    + "more")
        }
        guard variants.count < Int(Self.unowned) else {
            throw AnalysisError("\(definition.key) has more than \(Self.unowned - 1) variants")
        }
        let resolution = definition.hash?.resolution ?? Bucketing.bucketCount
        let owned = variants.reduce(0) { $0 + $1.bucketCount }
        names = variants.map(\.key)
        shares = variants.map { Double($0.bucketCount) / Double(owned) }
        var owners = Array(repeating: Self.unowned, count: Bucketing.bucketCount)
        // Of another system's hash the shares are kept, in parts of 1,000,000.
        func scaled(_ number: Int) -> Int { Int(Int128(number) * Int128(Bucketing.bucketCount) / Int128(resolution)) }
        for (arm, variant) in variants.enumerated() {
            for range in variant.buckets {
                for bucket in scaled(range.lowerBound)..<scaled(range.upperBound) { owners[bucket] = UInt8(arm) }
            }
        }
        self.owners = owners
    }
}

extension PowerDataQuestion {
    /// The change that is asked for, in the unit of a metric; `nil` if none is.
    func change(of metric: PlannedMetric) throws(AnalysisError) -> Double? {
        guard let effect = effect ?? relativeEffect else { return nil }
        let isShare = relativeEffect != nil || effect.isPercentage
        let change = isShare ? abs(metric.ratio) * effect.value : effect.value
        guard change != 0 else {
            throw AnalysisError("the effect on \(QuotedText(metric.question.name)) is 0; give one that is not")
        }
        return change
    }

    fileprivate func margin(_ margin: WrittenNumber, of metric: PlannedMetric) throws(AnalysisError) -> Double {
        let value = abs(margin.isPercentage ? metric.ratio * margin.value : margin.value)
        guard value > 0 else {
            throw AnalysisError("the margin of \(QuotedText(metric.question.name)) is 0; give one that is not")
        }
        return value
    }
}
