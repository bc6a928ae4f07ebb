import RealModule

/// Sums over the units of one arm, from which its ratio of two means, the ratio's variance and the adjustment by a
/// covariate follow.
///
/// Each unit has a residual *z* = *y* - *R d* of its value *y* and its size *d*, where *R* is the ratio among the units
/// of all arms: the size is 1 where a mean is compared, the denominator of a ratio, or the number of units of a
/// cluster. Sums of residuals lose no digits where the sums of values would.
package struct SampleSums: Sendable, Hashable {
    package private(set) var count = 0.0
    private var z = 0.0
    private(set) var d = 0.0
    private var x = 0.0
    private var zz = 0.0
    private var zd = 0.0
    private var dd = 0.0
    private var zx = 0.0
    private var dx = 0.0
    private var xx = 0.0

    package init() {}

    /// Adds a unit by its residual, its size, and its covariate less the mean of all units; 0 without one.
    package mutating func add(residual: Double, size: Double, covariate: Double) {
        count += 1
        z += residual
        d += size
        x += covariate
        zz += residual * residual
        zd += residual * size
        dd += size * size
        zx += residual * covariate
        dx += size * covariate
        xx += covariate * covariate
    }

    package static func += (left: inout Self, right: Self) {
        left.count += right.count
        left.z += right.z
        left.d += right.d
        left.x += right.x
        left.zz += right.zz
        left.zd += right.zd
        left.dd += right.dd
        left.zx += right.zx
        left.dx += right.dx
        left.xx += right.xx
    }

    /// The sums of residuals *a z* + *b d* in the place of *z*: those of values that an effect has changed.
    package func changed(by change: InjectedEffect, ratio: Double) -> SampleSums {
        let (a, b) = change.factors(ratio: ratio)
        var sums = self
        sums.z = a * z + b * d
        sums.zz = a * a * zz + 2 * a * b * zd + b * b * dd
        sums.zd = a * zd + b * dd
        sums.zx = a * zx + b * dx
        return sums
    }

    /// The estimates of several arms.
    ///
    /// The variance of a ratio is that of the delta method (A. Deng, U. Knoblich and J. Lu, "Applying the delta method
    /// in metric analytics", 2018); with sizes of 1 it is the variance of a mean. The covariate's coefficient is the
    /// same for all arms, that of their units around the mean of each arm (A. Deng, Y. Xu, R. Kohavi and T. Walker,
    /// "Improving the sensitivity of online controlled experiments by utilizing pre-experiment data", 2013).
    ///
    /// - Returns: one for each arm; `nil` if an arm has fewer than two units, or sizes that are 0 together.
    package static func estimates(of arms: [SampleSums], adjusts: Bool) -> [SampleEstimate]? {
        guard arms.allSatisfy({ $0.count >= 2 && $0.d != 0 }) else { return nil }
        let parts = arms.map(\.moments)
        let squares = adjusts ? parts.reduce(0) { $0 + $1.squares } : 0
        let coefficient = squares > 0 ? parts.reduce(0) { $0 + $1.products } / squares : 0
        return zip(arms, parts).map { arm, part in
            let errors = rest(
                of: part.errors + coefficient * coefficient * part.squares, less: 2 * coefficient * part.products)
            return SampleEstimate(
                value: part.ratio - coefficient * arm.x / arm.count, squaredError: errors / (arm.count - 1) / arm.count,
                count: arm.count)
        }
    }

    /// The ratio less that of all arms, and the sums of squares and products around it and the mean of the covariate,
    /// in the unit of the ratio.
    var moments: (ratio: Double, errors: Double, products: Double, squares: Double) {
        let (ratio, size) = (z / d, d / count)
        return (
            ratio, Self.rest(of: zz + ratio * ratio * dd, less: 2 * ratio * zd) / (size * size),
            (zx - ratio * dx) / size, Self.rest(of: xx, less: x * x / count)
        )
    }

    /// A sum of squares as a difference of sums. The noise of their rounding is not taken for a variance.
    static func rest(of sum: Double, less part: Double) -> Double { sum - part > 1e-12 * sum ? sum - part : 0 }
}

/// The estimate of one arm.
package struct SampleEstimate: Sendable, Hashable {
    /// The mean or ratio, less a constant that is the same for all arms.
    package let value: Double
    /// The variance of the value.
    package let squaredError: Double
    /// How many units the arm has.
    package let count: Double
}

/// An effect that is given to the values of a treatment.
package enum InjectedEffect: Sendable, Hashable {
    /// Each value is multiplied by 1 and this share, as revenue is: the variance grows with the mean.
    case multiplied(Double)
    /// This change is added for each unit of size: the variance stays.
    case added(Double)

    /// The factors of residual and size that make the residual after the change.
    func factors(ratio: Double) -> (residual: Double, size: Double) {
        switch self {
        case .multiplied(let share): (1 + share, share * ratio)
        case .added(let change): (1, change)
        }
    }

    /// The factor of the treatment's variance, where sizes do not change.
    package var varianceFactor: Double {
        switch self {
        case .multiplied(let share): (1 + share) * (1 + share)
        case .added: 1
        }
    }
}

/// Welch's *t*-test of two samples whose variances may differ. Without any variance there is no test: it then finds
/// nothing, however large the difference is.
///
/// B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved"
/// (1947), with the degrees of freedom of F. E. Satterthwaite (1946).
package struct WelchTest: Sendable, Hashable {
    /// The treatment's value less the control's.
    package let difference: Double
    /// The variance of the difference.
    package let squaredError: Double
    package let degreesOfFreedom: Double
}

extension WelchTest {
    package init(control: SampleEstimate, treatment: SampleEstimate) {
        self.init(
            difference: treatment.value - control.value, squaredError: control.squaredError + treatment.squaredError,
            degreesOfFreedom: Self.degreesOfFreedom(
                control.squaredError, control.count, treatment.squaredError, treatment.count))
    }

    static func degreesOfFreedom(_ first: Double, _ firstCount: Double, _ second: Double, _ secondCount: Double)
        -> Double
    {
        let sum = first + second
        guard sum > 0 else { return firstCount + secondCount - 2 }
        let (one, other) = (first / sum, second / sum)
        return 1 / (one * one / (firstCount - 1) + other * other / (secondCount - 1))
    }

    /// The test of the control's value less the treatment's.
    package var reversed: WelchTest {
        WelchTest(difference: -difference, squaredError: squaredError, degreesOfFreedom: degreesOfFreedom)
    }

    /// The interval that covers the true difference with a probability.
    package func interval(confidence: Double) -> ClosedRange<Double> {
        let reach =
            StudentT(degreesOfFreedom: degreesOfFreedom).upperQuantile((1 - confidence) / 2) * .sqrt(squaredError)
        return difference - reach...difference + reach
    }

    /// The difference in standard errors; 0 without variance.
    package var statistic: Double { squaredError > 0 ? difference / .sqrt(squaredError) : 0 }

    /// The p-value against changes in either direction, or in the direction of an effect above 0; 1 without variance.
    package func pValue(_ sides: TestSides) -> PValue {
        guard squaredError > 0 else { return PValue(1) }
        let both = StudentT(degreesOfFreedom: degreesOfFreedom).outsideLogarithm(statistic)
        guard sides == .one else { return PValue(logarithm: both) }
        let tail = both - .log(2)
        return PValue(logarithm: statistic > 0 ? tail : Logarithm.complement(tail))
    }
}
