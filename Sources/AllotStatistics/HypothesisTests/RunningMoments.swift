/// The count, mean and variance of some numbers, in one pass and without loss of digits (B. P. Welford, "Note on a
/// method for calculating corrected sums of squares and products", Technometrics 1962).
package struct RunningMoments: Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var mean = 0.0
    private var squares = 0.0

    package init() {}

    package mutating func add(_ value: Double) {
        count += 1
        let distance = value - mean
        mean += distance / Double(count)
        squares += distance * (value - mean)
    }

    /// The unbiased variance; 0 for fewer than two numbers.
    package var variance: Double { count < 2 ? 0 : squares / Double(count - 1) }

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

    package var estimate: SampleEstimate {
        SampleEstimate(value: mean, squaredError: count > 0 ? variance / Double(count) : 0, count: Double(count))
    }
}
