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

/// Expected values: mpmath 1.3 with 60 digits, the beta integral and `findroot` of it.
struct StudentTTests {
    @Test(
        "The logarithm of the upper tail agrees with mpmath",
        arguments: [
            (1, 0.5, -1.0429418980620317), (1, 1e6, -14.960240443814008), (2, 3.0, -3.0421326497423484),
            (2.5, 2.0, -2.542166154510382), (5, 0.99, -1.6938171502048361), (30, 1.96, -3.5175798684243214),
            (30, 50.0, -69.143937405451383), (100, -2.0, -0.024401396597571223), (1e3, 38.0, -450.92866727810575),
            (1e6, 0.01, -0.70115789143351518), (1e6, 2.0, -3.7831784006579821), (1e9, 5.0, -15.06499822542735),
            (1e12, 40.0, -804.60844137295404),
        ])
    func upperLogarithm(degreesOfFreedom: Double, value: Double, expected: Double) {
        let distribution = StudentT(degreesOfFreedom: degreesOfFreedom)
        expectTail(distribution.upperLogarithm(value), expected)
    }

    @Test(
        "The upper quantile agrees with mpmath",
        arguments: [
            (1, 0.025, 12.706204736174704), (2, 0.3, 0.61721339984836768), (3, 1e-9, 1033.1096745038077),
            (5, 0.2499, 0.72704291644482558), (10, 0.4999, 0.00025699780660494993), (18, 0.975, -2.100922040241038),
            (100, 1e-100, 96.314743077830919), (29500, 0.025, 1.9600444037573815), (1e6, 0.0125, 2.2414061030985714),
            (1e12, 0.025, 1.9599639845424265),
        ])
    func upperQuantile(degreesOfFreedom: Double, probability: Double, expected: Double) {
        let distribution = StudentT(degreesOfFreedom: degreesOfFreedom)
        expectClose(distribution.upperQuantile(probability), expected, within: 1e-11)
    }

    @Test("Probabilities of 0 and 1 have infinite quantiles")
    func ends() {
        let distribution = StudentT(degreesOfFreedom: 7)
        #expect(distribution.upperQuantile(0) == .infinity)
        #expect(distribution.upperQuantile(1) == -.infinity)
        #expect(distribution.upperQuantile(0.5) == 0)
        expectTail(distribution.upperLogarithm(0), -0.69314718055994531)
    }
}
