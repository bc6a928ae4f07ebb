import Testing

@testable import AllotStatistics

/// Expected values: mpmath 1.3 with 60 digits, `findroot` of the beta integral.
struct StudentTTests {
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
    }
}
