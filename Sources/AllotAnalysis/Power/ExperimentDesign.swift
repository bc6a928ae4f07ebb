import AllotReports
import AllotStatistics

/// The variants of a planned experiment.
public struct PlannedVariants: Sendable, Hashable {
    /// The names of the variants, the control's first.
    public let names: [String]
    /// The share of each.
    public let allocation: Allocation

    /// Variants with their weights, the control's first; without names they are called control and treatment.
    public init(weights: [Double], names: [String] = []) throws(PowerError) {
        allocation = try Allocation(weights: weights)
        let treatments = weights.count == 2 ? ["treatment"] : weights.indices.dropFirst().map { "treatment \($0)" }
        self.names = names.isEmpty ? ["control"] + treatments : names
    }

    /// Variants of equal shares.
    ///
    /// - Parameter count: 2 or more, with the control.
    public init(count: Int) throws(PowerError) { try self.init(weights: Array(repeating: 1, count: max(count, 0))) }
}

/// Effect, units and power that belong together: two of them are given, and the third follows.
///
/// ```swift
/// import AllotStatistics
///
/// let analysis = try PowerAnalysis(metric: ProportionMetric(baseline: 0.1), allocation: Allocation(variants: 2))
/// print(try ExperimentDesign(analysis, effect: 0.01).units)
/// ```
public struct ExperimentDesign: Sendable, Hashable {
    /// The quantity that follows from the others.
    public enum Quantity: String, Sendable {
        /// The number of units.
        case units
        /// The change that is found.
        case effect
        /// The probability of finding it.
        case power
    }

    /// Which one was calculated.
    public let calculated: Quantity
    /// The units of each variant, the control's first.
    public let sizes: [Int]
    /// The change that is found. Where it was calculated, the upward one; `nil` if none is large enough, as of a rate
    /// near 1.
    public let effect: Double?
    /// Where the effect was calculated, the downward one, below 0; `nil` if none is large enough, as of a rate near 0.
    public let decrease: Double?
    /// The power that these units have for this effect.
    public let power: Double
    /// The power that was given.
    public let target: Double?

    /// The customary power.
    public static let customaryPower = 0.8

    /// Calculates the units for an effect and a power.
    public init(_ analysis: PowerAnalysis, effect: Double, power: Double = customaryPower) throws(PowerError) {
        sizes = try analysis.sizes(effect: effect, power: power)
        self.power = try analysis.power(effect: effect, sizes: sizes)
        (calculated, self.effect, decrease, target) = (.units, effect, nil, power)
    }

    /// Calculates the effects that some units find with a power: of a one-sided test, those of each direction.
    ///
    /// - Throws: `PowerError.nothingDetectable` if no effect of either direction is large enough.
    public init(_ analysis: PowerAnalysis, sizes: [Int], power: Double = customaryPower) throws(PowerError) {
        let effects = try [EffectDirection.increase, .decrease].map { direction throws(PowerError) -> Double? in
            do throws(PowerError) {
                return try analysis.detectableEffect(direction, sizes: sizes, power: power)
            } catch {
                guard case .nothingDetectable = error else { throw error }
                return nil
            }
        }
        guard effects != [nil, nil] else { throw .nothingDetectable(power: power) }
        (effect, decrease) = (effects[0], effects[1])
        (calculated, self.sizes, self.power, target) = (.effect, sizes, power, power)
    }

    /// Calculates the power that some units have for an effect.
    public init(_ analysis: PowerAnalysis, effect: Double, sizes: [Int]) throws(PowerError) {
        power = try analysis.power(effect: effect, sizes: sizes)
        (calculated, self.sizes, self.effect, decrease, target) = (.power, sizes, effect, nil, nil)
    }

    /// The units of all variants together.
    public var units: Int { sizes.reduce(0, +) }
}

extension PowerMetric {
    /// A change in the unit of the metric: percentage points of a rate, units of a mean.
    package func change(absolute effect: WrittenNumber) throws(AnalysisError) -> Double {
        if !effect.isPercentage, abs(effect.value) >= 1, self is ProportionMetric {
            throw AnalysisError("An effect on a rate is in percentage points, such as 1% or 0.01.")
        }
        guard !effect.isPercentage || self is ProportionMetric else {
            throw AnalysisError(
                "An effect on a mean is a number in its units; for a percentage of the mean give a relative effect.")
        }
        return try checked(effect.value)
    }

    /// A change as a share of what the control has, in the unit of the metric.
    package func change(relative share: WrittenNumber) throws(AnalysisError) -> Double {
        if !share.isPercentage, abs(share.value) >= 1 {
            throw AnalysisError("A relative effect is a percentage of what the control has, such as 5% or 0.05.")
        }
        guard let control else {
            throw AnalysisError("A relative effect on a mean needs the mean; add it, or give an effect.")
        }
        guard control != 0 else {
            throw AnalysisError("A relative effect does not apply to a mean of 0; give an effect.")
        }
        return try checked(abs(control) * share.value)
    }

    private func checked(_ change: Double) throws(AnalysisError) -> Double {
        guard let rate = (self as? ProportionMetric)?.baseline, abs(rate + change - 0.5) > 0.5 + 1e-12 else {
            return change
        }
        let (from, to) = (NumberFormat.percent(rate, digits: 6), NumberFormat.percent(rate + change, digits: 6))
        throw AnalysisError(
            "A change of \(NumberFormat.points(change)) takes the rate of \(from) to \(to); a rate stays from 0% to "
                + "100%.")
    }
}
