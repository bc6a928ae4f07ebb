import RealModule

/// The binomial distribution in tables: the probabilities of exactly, at most, and at least a number of successes.
package struct ExactBinomial: Sendable {
    package let trials: Int
    package let probability: Double
    /// At index *k* the probability of *k* successes.
    package let masses: [Double]
    /// At index *k* the probability of *k* successes or fewer.
    private let atMost: [Double]
    /// At index *k* the probability of *k* successes or more.
    private let atLeast: [Double]

    /// Tabulates a distribution of 1 or more trials. Complexity: O(`trials`) in time and memory.
    package init(trials: Int, probability: Double) {
        (self.trials, self.probability) = (trials, probability)
        let n = Double(trials)
        let (success, failure) = (Double.log(probability), Double.log(onePlus: -probability))
        let whole = Double.logGamma(n + 1)
        masses = (0...trials).map { count in
            let k = Double(count)
            let ways = whole - .logGamma(k + 1) - .logGamma(n - k + 1)
            return Double.exp(ways + k * success + (n - k) * failure)
        }
        // Each tail is added up from its end, so that small tails keep their digits.
        atMost = Self.sums(masses)
        atLeast = Self.sums(masses.reversed()).reversed()
    }

    private static func sums(_ masses: some Sequence<Double>) -> [Double] {
        var sum = 0.0
        return masses.map { mass in
            sum += mass
            return min(sum, 1)
        }
    }

    /// The probability of a count at least as far from the mean as `count`, and of one farther.
    package func tails(_ count: Int) -> (atLeastAsFar: Double, farther: Double) {
        let mean = Double(trials) * probability
        let distance = abs(Double(count) - mean)
        // Counts on the other side may be as far, but for rounding.
        let slack = 1e-9 * max(mean, 1)
        return (distance <= slack ? 1 : outside(mean, distance - slack), outside(mean, distance + slack))
    }

    private func outside(_ mean: Double, _ distance: Double) -> Double {
        let (low, high) = (mean - distance, mean + distance)
        // Conversion to Int rounds down what is not negative.
        let below = low < 0 ? 0 : atMost[Int(low)]
        let next = Double(Int(high)) < high ? Int(high) + 1 : Int(high)
        return min(below + (next > trials ? 0 : atLeast[next]), 1)
    }
}
