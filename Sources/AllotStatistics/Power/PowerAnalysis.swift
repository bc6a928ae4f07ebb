/// The design of an experiment: from two of sample size, effect and power follows the third.
///
/// ```swift
/// let analysis = try PowerAnalysis(
///     metric: ProportionMetric(baseline: 0.1), allocation: Allocation(variants: 2))
/// print(try analysis.sizes(effect: 0.01))  // [14751, 14751]
/// ```
public struct PowerAnalysis: Sendable {
    /// The quantity that is measured.
    public let metric: any PowerMetric
    /// How units are shared among the variants.
    public let allocation: Allocation
    /// The probability of any false alarm (with ``Correction/none``, of one in each comparison), above 0 and below 1.
    public let significance: Double
    /// The direction of the changes to find.
    public let sides: TestSides
    /// How the significance level is corrected for several treatments.
    public let correction: Correction

    /// A design of which effect, units and power are left open, at a significance above 0 and below 1.
    public init(
        metric: any PowerMetric, allocation: Allocation, significance: Double = 0.05, sides: TestSides = .two,
        correction: Correction = .bonferroni
    ) throws(PowerError) {
        guard significance > 0, significance < 1 else { throw .invalidSignificance(significance) }
        (self.metric, self.allocation, self.significance) = (metric, allocation, significance)
        (self.sides, self.correction) = (sides, correction)
        comparisonSignificance = correction.comparisonSignificance(significance, of: allocation, sides)
    }

    /// The probability of a false alarm in each comparison.
    package let comparisonSignificance: Double

    /// The probability of finding an effect that one treatment has: the smallest treatment, if they differ in size.
    public func power(effect: Double, sizes: [Int]) throws(PowerError) -> Double {
        try check(effect: effect)
        return weakest(effect, try checked(sizes))
    }

    /// How many units each variant needs so that an effect is found with a power.
    ///
    /// The counts follow the allocation, rounded up; none is below 2.
    ///
    /// - Parameters:
    ///   - effect: the treatment's mean less the control's, not 0.
    ///   - power: above the significance level and below 1; by custom 0.8.
    /// - Returns: a count for each variant, the control's first.
    public func sizes(effect: Double, power: Double = 0.8) throws(PowerError) -> [Int] {
        try check(effect: effect)
        try check(power: power)
        let largest = 1e15
        let start = Self.fewest / (allocation.shares.min() ?? 1)
        func distance(_ root: Double) -> Double {
            Self.distance(weakest(effect, allocation.shares.map { root * root * $0 }), power)
        }
        // In the square root of the sample size the quantile of the power is nearly a straight line.
        var (low, high) = (start.squareRoot(), start.squareRoot())
        while distance(high) < 0 {
            (low, high) = (high, high * 4)
            guard low * low < largest else { throw .tooManyUnits }
        }
        let root = low == high ? high : FalsePosition.find(distance, from: low, to: high)
        guard root * root < largest else { throw .tooManyUnits }
        return allocation.counts(covering: root * root)
    }

    /// The smallest effect that is found with a power.
    ///
    /// - Parameters:
    ///   - direction: whether an increase is looked for, or a decrease.
    ///   - sizes: how many units each variant has, 2 or more; the control first.
    ///   - power: above the significance level and below 1; by custom 0.8.
    /// - Returns: the treatment's mean less the control's: above 0 for an increase, below 0 for a decrease.
    public func detectableEffect(
        _ direction: EffectDirection = .increase, sizes: [Int], power: Double = 0.8
    ) throws(PowerError) -> Double {
        try check(power: power)
        let sizes = try checked(sizes)
        let sign: Double = direction == .increase ? 1 : -1
        let limit = direction == .increase ? metric.effects.upperBound : -metric.effects.lowerBound
        func distance(_ effect: Double) -> Double { Self.distance(weakest(sign * effect, sizes), power) }
        var (low, high) = (0.0, min(limit, 1))
        while low < high, distance(high) < 0 {
            guard high < limit, high < 1e300 else { throw .nothingDetectable(power: power) }
            (low, high) = (high, min(limit, high * 16))
        }
        while low == 0, high > 1e-300, distance(high / 16) >= 0 { high /= 16 }
        return sign * FalsePosition.find(distance, from: max(low, high / 16), to: high)
    }

    /// No variant is smaller: a mean of one unit has no variance.
    private static let fewest = 2.0

    /// How far a power is above another, as normal quantiles: in the effect it is nearly a straight line.
    static func distance(_ power: Double, _ wanted: Double) -> Double {
        let farthest = 30.0
        return min(max(Normal.quantile(power), -farthest), farthest) - Normal.quantile(wanted)
    }

    private func weakest(_ effect: Double, _ sizes: [Double]) -> Double {
        let treatment = sizes.dropFirst().min() ?? sizes[0]
        return metric.power(
            effect,
            in: SampleComparison(
                control: sizes[0], treatment: treatment, significance: comparisonSignificance, sides: sides))
    }

    private func checked(_ sizes: [Int]) throws(PowerError) -> [Double] {
        guard sizes.count == allocation.shares.count else {
            throw .unequalSizes(sizes: sizes.count, variants: allocation.shares.count)
        }
        let numbers = sizes.map(Double.init)
        if let index = numbers.firstIndex(where: { $0 < Self.fewest }) {
            throw .tooFewUnits(variant: index, count: sizes[index])
        }
        return numbers
    }

    private func check(effect: Double) throws(PowerError) {
        guard effect.isFinite, effect != 0 else { throw .invalidEffect(effect) }
        // 0.9 and 0.1 are not quite 1.
        guard metric.effects.lowerBound - effect <= 1e-12, effect - metric.effects.upperBound <= 1e-12 else {
            throw .effectOutOfRange(effect: effect, baseline: metric.control ?? 0)
        }
    }

    private func check(power: Double) throws(PowerError) {
        guard power > 0, power < 1 else { throw .invalidPower(power) }
        guard power > comparisonSignificance else {
            throw .trivialPower(power: power, significance: comparisonSignificance)
        }
    }
}

extension Correction {
    /// The level of each comparison with the control.
    package func comparisonSignificance(
        _ significance: Double, of allocation: Allocation, _ sides: TestSides
    ) -> Double {
        switch self {
        case .bonferroni: significance / Double(allocation.shares.count - 1)
        case .dunnett: Dunnett(shares: allocation.shares, sides: sides).comparisonSignificance(significance)
        case .none: significance
        }
    }
}

/// Where an effect goes.
public enum EffectDirection: Sendable, Hashable {
    /// The treatment has more than the control.
    case increase
    /// The treatment has less than the control.
    case decrease
}
