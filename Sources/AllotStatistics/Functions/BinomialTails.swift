import RealModule

/// The binomial distribution of any number of trials, as natural logarithms and without tables.
struct BinomialTails: Sendable {
    /// The probability of success.
    let probability: Double
    /// The probability of failure.
    let complement: Double

    /// The probability of exactly `count` successes, after C. Loader, "Fast and accurate computation of binomial
    /// probabilities" (2000).
    func mass(_ count: Int, of trials: Int) -> Double {
        let (n, k) = (Double(trials), Double(count))
        if trials == 0 { return 0 }
        if count == 0 { return n * Self.logarithm(complement, probability) }
        if count == trials { return n * Self.logarithm(probability, complement) }
        let rest = Double(trials - count)
        return SaddlePoint.stirlingError(n) - SaddlePoint.stirlingError(k) - SaddlePoint.stirlingError(rest)
            - SaddlePoint.deviance(k, expected: n * probability)
            - SaddlePoint.deviance(rest, expected: n * complement)
            - 0.5 * (.log(2 * .pi) + .log(k) + .log(rest / n))
    }

    /// The logarithm of a probability, from the smaller one of it and its complement.
    private static func logarithm(_ probability: Double, _ complement: Double) -> Double {
        probability < complement ? .log(probability) : .log(onePlus: -complement)
    }

    /// The probability of `count` successes or more.
    func atLeast(_ count: Int, of trials: Int) -> Double {
        if count <= 0 { return 0 }
        if count > trials { return -.infinity }
        return IncompleteBeta.lowerLogarithm(
            Double(count), Double(trials - count) + 1, probability, complement: complement)
    }

    /// The probability of `count` successes or fewer.
    func atMost(_ count: Int, of trials: Int) -> Double {
        BinomialTails(probability: complement, complement: probability).atLeast(trials - count, of: trials)
    }

    /// The probability of all counts whose own probability is at most a limit.
    ///
    /// Complexity: O(log `trials`), as probabilities rise up to the mode and fall after it.
    func outside(_ limit: Double, of trials: Int) -> Double {
        let mode = min(Int((Double(trials) + 1) * probability), trials)
        if mass(mode, of: trials) <= limit { return 0 }
        var (low, high) = (-1, mode)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if mass(middle, of: trials) <= limit { low = middle } else { high = middle }
        }
        let below = low
        (low, high) = (mode, trials + 1)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if mass(middle, of: trials) <= limit { high = middle } else { low = middle }
        }
        return Logarithm.sum(below < 0 ? -.infinity : atMost(below, of: trials), atLeast(high, of: trials))
    }
}
