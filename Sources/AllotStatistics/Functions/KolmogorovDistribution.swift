import RealModule

/// The exact distribution of Kolmogorov's statistic.
///
/// G. Marsaglia, W. W. Tsang and J. Wang, "Evaluating Kolmogorov's distribution" (2003) after J. Durbin (1973): with
/// *nd* = *k* - *h* the probability of a distance below *d* is *n*!/*nⁿ* times the middle element of the *n*th power
/// of a matrix of 2*k* - 1 rows. The matrix is nearly Toeplitz and its elements fall like 1/*i*!, so multiplying a
/// vector *n* times by it is cheaper than taking its power, and every term is positive.
enum KolmogorovMatrix {
    /// 1/18! is below the last digit of the sum, e.
    private static let reach = 18

    /// The probability of a distance below a value.
    ///
    /// Complexity: O(*n* × *nd*).
    static func lower(_ distance: Double, count: Int) -> Double {
        let product = Double(count) * distance
        let k = Int(product.rounded(.down)) + 1
        let h = Double(k) - product
        let size = 2 * k - 1
        // Divided by e, so that the vector neither grows nor falls but for what is lost at the lines.
        var inverseFactorials = [Double.exp(-1)]
        for n in 1...max(size, reach) + 1 { inverseFactorials.append(inverseFactorials[n - 1] / Double(n)) }
        // The first column and, from its end, the last row: (1 - h^i) / i!.
        let edge = (1...size).map { (1 - Double.pow(h, $0)) * inverseFactorials[$0] }
        var corner = 1 - 2 * Double.pow(h, size)
        if h > 0.5 { corner += Double.pow(2 * h - 1, size) }
        corner *= inverseFactorials[size]

        var vector = [Double](repeating: 0, count: size)
        vector[k - 1] = 1
        for _ in 0..<count { vector = multiplied(vector, inverseFactorials, edge: edge, corner: corner) }
        // n! eⁿ / nⁿ, by Stirling's formula.
        let n = Double(count)
        return min(1, vector[k - 1] * .sqrt(2 * .pi * n) * .exp(SaddlePoint.stirlingError(n)))
    }

    /// Element i of the product is the sum of H(i, j) v(j); inside the matrix H(i, j) = 1/(i - j + 1)!.
    private static func multiplied(
        _ vector: [Double], _ inverseFactorials: [Double], edge: [Double], corner: Double
    ) -> [Double] {
        let last = vector.count - 1
        return vector.indices.map { row in
            if row == last {
                var sum = corner * vector[0]
                for column in stride(from: 1, through: last, by: 1) { sum += edge[last - column] * vector[column] }
                return sum
            }
            var sum = edge[row] * vector[0]
            var column = max(1, row + 1 - reach)
            while column <= row + 1 {
                sum += inverseFactorials[row + 1 - column] * vector[column]
                column += 1
            }
            return sum
        }
    }
}

/// The distribution of Kolmogorov's statistic for larger samples, as a sum over eigenvalues.
///
/// The empirical distribution of *n* uniform values is a Poisson process that ends at *n*, and it stays within a
/// distance *d* when it passes neither of two parallel lines. In generating functions of the number of values (J. H.
/// B. Kemperman, "The passage problem for a stationary Markov chain", 1961) a passage down over a length *x* is
/// exp(-*x* (1 - *T*)), *T* being the tree function: the smaller solution of *T* exp(-*T*) = *w*. A passage up is the
/// same for the larger solution, but for terms like exp(-2.09 *x*) of the complex solutions. Inclusion and exclusion
/// of alternating passages is then a geometric series. Its sum has a pole for each eigenvalue of the process between
/// the lines, and the residues there are the terms of
///
///     P(D < d) = n!/nⁿ Σ w⁻ⁿ (1 ± r/φ) / (1 + 2nd - 2g/r²),    g = 1 - φ cot φ,  r² = g² + φ²,
///
/// taken over the solutions *φ* of 2*ndφ* - arctan(*φ*/*g*) = (*m* - ½)π, at each of which log *w* = *g* +
/// log(*φ*/sin *φ*) - 1. The sign is + for odd *m*. For large *n* this becomes Kolmogorov's √(2π)/*t* Σ exp(-(2*k* -
/// 1)² π² / 8*t*²), *t* = *d*√*n*.
enum KolmogorovSpectrum {
    /// From this product of sample size and distance on, the omitted terms are below 1e-13.
    static let leastProduct = 16.0

    /// The probability of a distance below a value.
    static func lower(_ distance: Double, count: Int) -> Double {
        let n = Double(count)
        let c = n * distance
        let scale = Double.sqrt(2 * .pi * n) * .exp(SaddlePoint.stirlingError(n))
        var sum = 0.0
        for m in 1... {
            let phi = root(Double(m), c)
            let decay = n * exponent(phi)
            guard phi < .pi, decay < 45 else { break }
            let gap = gap(phi)
            let square = gap * gap + phi * phi
            let ratio = Double.sqrt(square) / phi
            sum += .exp(-decay) * (m.isMultiple(of: 2) ? 1 - ratio : 1 + ratio) / (1 + 2 * c - 2 * gap / square)
        }
        return min(1, scale * sum)
    }

    /// The solution of number *m*; the arc changes so little that putting it in again and again converges.
    private static func root(_ m: Double, _ c: Double) -> Double {
        var phi = m * .pi / (2 * c)
        for _ in 0..<50 {
            let next = ((m - 0.5) * .pi + .atan2(y: phi, x: gap(phi))) / (2 * c)
            if abs(next - phi) <= 1e-16 * phi { return next }
            phi = next
        }
        return phi
    }

    /// 1 - *φ* cot *φ*.
    private static func gap(_ phi: Double) -> Double {
        guard phi < 0.5 else { return 1 - phi / .tan(phi) }
        let square = phi * phi
        return coefficients.reversed().reduce(0) { ($0 + $1) * square }
    }

    /// log *w* + 1, which is 1 - *φ* cot *φ* + log(*φ*/sin *φ*).
    private static func exponent(_ phi: Double) -> Double {
        guard phi < 0.5 else { return 1 - phi / .tan(phi) + .log(phi / .sin(phi)) }
        let square = phi * phi
        return coefficients.enumerated().reversed().reduce(0) { sum, term in
            (sum + term.element * (1 + 1 / Double(2 * term.offset + 2))) * square
        }
    }

    /// The coefficients of φ², φ⁴, … in 1 - φ cot φ (NIST DLMF 4.19.6).
    private static let coefficients: [Double] = [
        1.0 / 3, 1.0 / 45, 2.0 / 945, 1.0 / 4725, 2.0 / 93_555, 1382.0 / 638_512_875, 4.0 / 18_243_225,
        3617.0 / 162_820_783_125, 87_734.0 / 38_979_295_480_125, 349_222.0 / 1_531_329_465_290_625,
    ]
}

/// The exact distribution of Smirnov's one-sided statistic.
///
/// Z. W. Birnbaum and F. H. Tingey, "One-sided confidence contours for probability distribution functions" (1951):
/// with *p* = *d* + *j*/*n* the probability of a one-sided distance of at least *d* is the sum of *d*/*p* times the
/// binomial probability of *j* in *n*, for all *j* with *p* ≤ 1. No term is negative, and each is computed without
/// cancellation.
enum SmirnovTail {
    /// The natural logarithm of the probability of a one-sided distance, above 0 and below 1, of at least that size.
    /// Complexity: O(*n*).
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
