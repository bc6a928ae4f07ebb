import AllotStatistics
import Testing

/// Expected values: mpmath 1.3 with 60 digits, `log(erfc(z / sqrt(2)) / 2)` and `findroot` of it.
struct NormalTests {
    @Test(
        "The logarithm of the upper tail agrees with mpmath",
        arguments: [
            (-40.0, 0.0), (-5.0, -2.8665161296376359e-7), (-1.0, -0.17275377902344989), (0.0, -0.69314718055994531),
            (0.5, -1.1759117615936186), (1.96, -3.6889636517296386), (6.0, -20.736768949974706),
            (20.0, -203.91715537109726), (35.0, -616.97510126192251), (36.0, -652.5032275937984),
            (48.5, -1180.9259270051454), (1000.0, -500007.82669481218),
        ])
    func upperLogarithm(value: Double, expected: Double) {
        expectTail(Normal.upperLogarithm(value), expected)
    }

    @Test(
        "The upper quantile agrees with mpmath",
        arguments: [
            (1e-300, 37.047096299361199), (1e-100, 21.273453560965324), (1e-20, 9.2623400897984076),
            (1e-9, 5.9978070150076869), (0.001, 3.0902323061678135), (0.025, 1.9599639845400542),
            (0.05, 1.6448536269514727), (0.0749, 1.4402382675279637), (0.0751, 1.43882539275254),
            (0.2, 0.84162123357291417), (0.4999, 0.00025066283008800749), (0.6, -0.25334710313579974),
            (0.925, -1.4395314709384562), (0.975, -1.9599639845400539), (0.9999, -3.7190164854557084),
        ])
    func upperQuantile(probability: Double, expected: Double) {
        expectClose(Normal.upperQuantile(probability), expected, within: 1e-15)
        #expect(Normal.quantile(probability) == -Normal.upperQuantile(probability))
    }

    @Test("Probabilities of 0 and 1 have infinite quantiles")
    func ends() {
        #expect(Normal.upperQuantile(0) == .infinity)
        #expect(Normal.upperQuantile(1) == -.infinity)
        #expect(Normal.upperQuantile(0.5) == 0)
        #expect(Normal.upperLogarithm(.infinity) == -.infinity)
        #expect(Normal.upper(-.infinity) == 1)
        expectClose(Normal.upper(-1) + Normal.upper(1), 1, within: 1e-15)
    }
}
