import Testing

@testable import AllotStatistics

extension StudentT {
    /// The natural logarithm of the probability of a value at least as large, for any value.
    func upperLogarithm(_ value: Double) -> Double {
        let square = value * value / degreesOfFreedom
        // x = 1 / (1 + t²/k); its complement is as exact.
        let (x, complement) = (1 / (1 + square), square / (1 + square))
        let outside = IncompleteBeta.lowerLogarithm(degreesOfFreedom / 2, 0.5, x, complement: complement)
        let half = outside - logarithm(2)
        return value > 0 ? half : Logarithm.complement(half)
    }
}

struct NoncentralTTests {
    /// scipy 1.17.1, `scipy.stats.nct.sf(t, k, d)` and `.cdf`.
    @Test(
        "Both tails agree with scipy",
        arguments: [
            (1, 0.5, 1.0, 0.4072522635599707, 0.5927477364400293),
            (5, 2.8, 2.5706, 0.614367848896743, 0.385632151103257),
            (30, 2.8, 1.96, 0.7968468903629273, 0.20315310963707264),
            (30, 2.8, -1.96, 0.9999979518840172, 2.0481159827205435e-06),
            (1000, 12, 5.0, 0.9999999999982703, 1.729776379877246e-12),
            (29500, 2.8, 1.96, 0.7995427970245148, 0.2004572029754852),
            (1_000_000, 5, 2.0, 0.9986500908887163, 0.0013499091112837214),
        ])
    func tails(degreesOfFreedom: Double, noncentrality: Double, value: Double, upper: Double, lower: Double) {
        let distribution = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality)
        expectProbability(distribution.upperLogarithm(value), upper)
        expectProbability(distribution.lowerLogarithm(value), lower)
    }

    private func expectProbability(_ logarithm: Double, _ expected: Double) {
        // scipy takes a tail above ½ from its complement.
        #expect(abs(PValue(logarithm: logarithm).value - expected) < max(1e-10 * min(expected, 1 - expected), 1e-15))
    }

    /// mpmath 1.3 with 40 digits, `quad` over the chi variable.
    @Test(
        "Small tails keep their digits",
        arguments: [
            (1000, 2.8, 20, -127.87237966201599), (30, 2.8, 15, -22.133653275727467), (30, -5, 6, -44.379440825796175),
        ])
    func smallTails(degreesOfFreedom: Double, noncentrality: Double, value: Double, upper: Double) {
        let distribution = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality)
        expectTail(distribution.upperLogarithm(value), upper)
    }

    /// Another algorithm, for the same numbers.
    @Test("Without noncentrality it is Student's t", arguments: [1.0, 2, 3.5, 40, 1e4, 1e8])
    func centralIsStudents(degreesOfFreedom: Double) {
        let noncentral = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: 0)
        let student = StudentT(degreesOfFreedom: degreesOfFreedom)
        for value in [0, 0.1, 0.7, 1.96, 6, 30, 40] {
            expectTail(noncentral.upperLogarithm(value), student.upperLogarithm(value))
            expectTail(noncentral.lowerLogarithm(-value), student.upperLogarithm(value))
        }
    }

    /// No input may take forever or give NaN.
    @Test("Extreme input gives probabilities from 0 to 1", arguments: [1e-300, 1e-3, 1e5, 1e12, 1e300])
    func extremeInput(size: Double) {
        for degreesOfFreedom in [1, 2, 1e6, 1e13] {
            for (noncentrality, value) in [(size, 1.0), (-size, 1), (1, size), (1, -size), (size, size)] {
                let distribution = NoncentralT(degreesOfFreedom: degreesOfFreedom, noncentrality: noncentrality)
                #expect(distribution.upperLogarithm(value) <= 0)
                #expect(distribution.lowerLogarithm(value) <= 0)
            }
        }
    }
}
