import RealModule

/// The distribution of Kolmogorov's statistic for larger samples, as a sum over eigenvalues.
///
/// The empirical distribution of *n* uniform values is a Poisson process that ends at *n*, and it stays within a distance *d*
/// when it passes neither of two parallel lines. In generating functions of the number of values (J. H. B. Kemperman, "The
/// passage problem for a stationary Markov chain", 1961) a passage down over a length *x* is exp(-*x* (1 - *T*)), *T* being the
/// tree function: the smaller solution of *T* exp(-*T*) = *w*. A passage up is the same for the larger solution, but for terms
/// like exp(-2.09 *x*) of the complex solutions. Inclusion and exclusion of alternating passages is then a geometric series.
/// Its sum has a pole for each eigenvalue of the process between the lines, and the residues there are the terms of
///
///     P(D < d) = n!/nⁿ Σ w⁻ⁿ (1 ± r/φ) / (1 + 2nd - 2g/r²),    g = 1 - φ cot φ,  r² = g² + φ²,
///
/// taken over the solutions *φ* of 2*ndφ* - arctan(*φ*/*g*) = (*m* - ½)π, at each of which log *w* = *g* + log(*φ*/sin *φ*) - 1.
/// The sign is + for odd *m*. For large *n* this becomes Kolmogorov's √(2π)/*t* Σ exp(-(2*k* - 1)² π² / 8*t*²), *t* = *d*√*n*.
enum KolmogorovSpectrum {
    /// The product of sample size and distance from which on what is left out is below 1e-13.
    static let leastProduct = 16.0

    /// The probability of a distance below a value.
    ///
    /// - Parameters:
    ///   - distance: *d*; its product with *n* is at least ``leastProduct``.
    ///   - count: *n*, 1 or more.
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

    /// Of φ², φ⁴, … in 1 - φ cot φ (NIST DLMF 4.19.6).
    private static let coefficients: [Double] = [
        1.0 / 3, 1.0 / 45, 2.0 / 945, 1.0 / 4725, 2.0 / 93_555, 1382.0 / 638_512_875, 4.0 / 18_243_225,
        3617.0 / 162_820_783_125, 87_734.0 / 38_979_295_480_125, 349_222.0 / 1_531_329_465_290_625,
    ]
}
