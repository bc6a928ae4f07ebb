import RealModule

/// The exact distribution of Smirnov's one-sided statistic.
///
/// Z. W. Birnbaum and F. H. Tingey, "One-sided confidence contours for probability distribution functions" (1951): with *p* =
/// *d* + *j*/*n* the probability of a one-sided distance of at least *d* is the sum of *d*/*p* times the binomial probability
/// of *j* in *n*, for all *j* with *p* ≤ 1. No term is negative, and each is computed without cancellation.
enum SmirnovTail {
    /// The natural logarithm of the probability of a one-sided distance of at least so much.
    ///
    /// Complexity: O(*n*).
    ///
    /// - Parameters:
    ///   - distance: above 0 and below 1.
    ///   - count: *n*, 1 or more.
    static func upperLogarithm(_ distance: Double, count: Int) -> Double {
        let n = Double(count)
        let last = min(count, Int((n * (1 - distance)).rounded(.down)))
        let constant = 0.5 * (.log(n) - .log(2 * .pi)) + SaddlePoint.stirlingError(n)
        // Both ends: no value below the distance, which is (1 - d)^n, and all of them, which happens when p is 1.
        var most = n * .log(onePlus: -distance)
        var sum = 1.0
        for index in stride(from: 1, through: last, by: 1) {
            let j = Double(index)
            let rest = n - j
            let difference = -n * distance
            let probability = distance + j / n
            guard rest > 0 else { break }
            let complement = rest / n - distance
            guard complement > 0 else { break }
            let term =
                constant - 0.5 * (.log(j) + .log(rest)) - SaddlePoint.stirlingError(j) - SaddlePoint.stirlingError(rest)
                - SaddlePoint.deviance(j, expected: n * probability, difference: difference)
                - SaddlePoint.deviance(rest, expected: n * complement, difference: -difference)
                + .log(distance / probability)
            if term > most {
                sum = sum * .exp(most - term) + 1
                most = term
            } else {
                sum += .exp(term - most)
            }
        }
        return most + .log(sum)
    }
}
