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

    /// Adds a unit.
    ///
    /// - Parameters:
    ///   - residual: its value less the ratio times its size.
    ///   - size: its size.
    ///   - covariate: its value before the experiment, less the mean of all units; 0 without one.
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
        var coefficient = 0.0
        if adjusts {
            let covariance = parts.reduce(0) { $0 + $1.products }
            let squares = parts.reduce(0) { $0 + $1.squares }
            coefficient = squares > 0 ? covariance / squares : 0
        }
        return parts.map { part in
            let sum = part.errors - coefficient * (2 * part.products - coefficient * part.squares)
            return SampleEstimate(
                value: part.ratio - coefficient * part.covariate,
                squaredError: max(sum, 0) / (part.count - 1) / part.count, count: part.count)
        }
    }

    /// The ratio less that of all arms, the mean of the covariate, and sums of squares and products around both, in the
    /// unit of the ratio.
    var moments: (ratio: Double, covariate: Double, errors: Double, products: Double, squares: Double, count: Double) {
        let ratio = z / d
        let size = d / count
        let errors = zz - 2 * ratio * zd + ratio * ratio * dd
        return (
            ratio, x / count, max(errors, 0) / (size * size), (zx - ratio * dx) / size, max(xx - x * x / count, 0),
            count
        )
    }
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

/// Welch's *t*-test of two samples whose variances may differ.
///
/// B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved"
/// (1947), with the degrees of freedom of F. E. Satterthwaite (1946).
package struct WelchTest: Sendable, Hashable {
    /// The treatment's value less the control's.
    package let difference: Double
    /// The variance of the difference.
    package let squaredError: Double
    package let degreesOfFreedom: Double

    init(difference: Double, squaredError: Double, degreesOfFreedom: Double) {
        (self.difference, self.squaredError) = (difference, squaredError)
        self.degreesOfFreedom = degreesOfFreedom
    }

    package init(control: SampleEstimate, treatment: SampleEstimate) {
        difference = treatment.value - control.value
        squaredError = control.squaredError + treatment.squaredError
        degreesOfFreedom = Self.degreesOfFreedom(
            control.squaredError, control.count, treatment.squaredError, treatment.count)
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

    /// The difference in standard errors.
    package var statistic: Double {
        squaredError > 0 ? difference / .sqrt(squaredError) : difference == 0 ? 0 : .infinity
    }

    /// The p-value against changes in either direction, or in the direction of an effect above 0.
    package func pValue(_ sides: TestSides) -> PValue {
        let both = StudentT(degreesOfFreedom: degreesOfFreedom).outsideLogarithm(statistic)
        guard sides == .one else { return PValue(logarithm: both) }
        let tail = both - .log(2)
        return PValue(logarithm: statistic > 0 ? tail : Logarithm.complement(tail))
    }
}

/// Mean, variance and skewness of some values.
package struct SampleMoments: Sendable, Hashable {
    package let count: Int
    package let mean: Double
    /// The sum of squares divided by one less than the count; 0 of one value.
    package let variance: Double
    /// The third central moment in relation to the variance, as `scipy.stats.skew` has it; 0 of equal values.
    package let skewness: Double

    package init(_ values: [Double]) {
        count = values.count
        let n = Double(max(values.count, 1))
        let mean = values.reduce(0, +) / n
        let second = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        self.mean = mean
        variance = values.count > 1 ? second / (n - 1) : 0
        let deviation = Double.sqrt(second / n)
        guard deviation > 0 else {
            skewness = 0
            return
        }
        // Cubes of standard deviations, as those of large values are infinite.
        var third = 0.0
        for value in values {
            let part = (value - mean) / deviation
            third += part * part * part
        }
        skewness = third / n
    }

    /// The correlation of two lists of values of one length; 0 if either is constant.
    package static func correlation(_ first: [Double], _ second: [Double]) -> Double {
        let (one, other) = (SampleMoments(first), SampleMoments(second))
        guard one.variance > 0, other.variance > 0 else { return 0 }
        var sum = 0.0
        for (a, b) in zip(first, second) { sum += (a - one.mean) * (b - other.mean) }
        return sum / (Double(one.count - 1) * .sqrt(one.variance) * .sqrt(other.variance))
    }

    /// The number of units an arm needs so that a mean of values that are so skewed is nearly normal: 355 *s*².
    ///
    /// R. Kohavi, A. Deng, R. Longbotham and Y. Xu, "Seven rules of thumb for web site experimenters" (2014), rule 7.
    package static func unitsForNormality(skewness: Double) -> Double {
        355 * skewness * skewness
    }
}
