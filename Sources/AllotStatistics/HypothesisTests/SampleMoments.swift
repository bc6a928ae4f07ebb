import RealModule

/// The count, mean and variance of some numbers, in one pass and without loss of digits (B. P. Welford, "Note on a
/// method for calculating corrected sums of squares and products", Technometrics 1962).
package struct SampleMoments: Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var mean = 0.0
    private var squares = 0.0

    package init(_ values: [Double] = []) { for value in values { add(value) } }

    package mutating func add(_ value: Double) {
        count += 1
        let distance = value - mean
        mean += distance / Double(count)
        squares += distance * (value - mean)
    }

    /// The unbiased variance; 0 for fewer than two numbers.
    package var variance: Double { count < 2 ? 0 : squares / Double(count - 1) }

    /// Moments of all numbers of both.
    package static func + (left: Self, right: Self) -> Self {
        guard left.count > 0, right.count > 0 else { return left.count > 0 ? left : right }
        var sum = left
        sum.count += right.count
        let distance = right.mean - left.mean
        sum.mean += distance * Double(right.count) / Double(sum.count)
        sum.squares +=
            right.squares + distance * distance * Double(left.count) * (Double(right.count) / Double(sum.count))
        return sum
    }

    /// The mean with its variance.
    package var estimate: SampleEstimate {
        SampleEstimate(value: mean, squaredError: count > 0 ? variance / Double(count) : 0, count: Double(count))
    }

    /// The third central moment in relation to the variance, as `scipy.stats.skew` has it; 0 of equal values.
    package static func skewness(of values: [Double]) -> Double {
        let moments = SampleMoments(values)
        let count = Double(max(values.count, 1))
        let deviation = Double.sqrt(moments.squares / count)
        guard deviation > 0 else { return 0 }
        // Cubes of standard deviations, as those of large values are infinite.
        return values.reduce(0) { sum, value in
            let part = (value - moments.mean) / deviation
            return sum + part * part * part
        } / count
    }

    /// The correlation of two lists of values of one length; 0 if either is constant.
    package static func correlation(_ first: [Double], _ second: [Double]) -> Double {
        let (one, other) = (SampleMoments(first), SampleMoments(second))
        guard one.squares > 0, other.squares > 0 else { return 0 }
        let products = zip(first, second).reduce(0) { $0 + ($1.0 - one.mean) * ($1.1 - other.mean) }
        return products / (.sqrt(one.squares) * .sqrt(other.squares))
    }

    /// The number of units an arm needs so that a mean of values that are so skewed is nearly normal: 355 *s*².
    ///
    /// R. Kohavi, A. Deng, R. Longbotham and Y. Xu, "Seven rules of thumb for web site experimenters" (2014), rule 7.
    package static func unitsForNormality(skewness: Double) -> Double { 355 * skewness * skewness }
}
