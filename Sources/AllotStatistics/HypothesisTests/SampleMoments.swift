/// The count, mean and variance of some numbers, in one pass and without loss of digits (B. P. Welford, "Note on a
/// method for calculating corrected sums of squares and products", Technometrics 1962).
package struct SampleMoments: Sendable, Hashable {
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
}

/// The difference of two means with its interval, by Welch's test: B. L. Welch, "The generalization of 'Student's'
/// problem when several different population variances are involved", Biometrika 1947.
package struct WelchComparison: Sendable, Hashable {
    package let difference: Double
    package let standardError: Double
    package let degreesOfFreedom: Double

    /// Compares two samples. Returns `nil` if one has fewer than two numbers, or if no number differs from another one.
    package init?(_ sample: SampleMoments, against reference: SampleMoments) {
        guard sample.count >= 2, reference.count >= 2 else { return nil }
        let parts = [sample, reference].map { $0.variance / Double($0.count) }
        let variance = parts[0] + parts[1]
        guard variance > 0 else { return nil }
        difference = sample.mean - reference.mean
        standardError = variance.squareRoot()
        // The equation of Welch and Satterthwaite, in shares of the variance, which never overflow.
        let shares = parts.map { $0 / variance }
        degreesOfFreedom =
            1 / (shares[0] * shares[0] / Double(sample.count - 1) + shares[1] * shares[1] / Double(reference.count - 1))
    }

    /// The interval that covers the true difference with a probability.
    package func interval(confidence: Double) -> ClosedRange<Double> {
        let reach =
            StudentT(degreesOfFreedom: degreesOfFreedom).upperQuantile((1 - confidence) / 2) * standardError
        return difference - reach...difference + reach
    }
}
