import AllotStatistics
import Testing

/// Expected values: mpmath 1.3 with 60 digits, `quad` of the density.
struct IncompleteBetaTests {
    @Test(
        "Both tails agree with mpmath, as logarithms",
        arguments: [
            (0.5, 0.5, 0.3, -0.99693121102077808, -0.46046545391587117),
            (2, 3, 0.1, -2.9507589079112597, -0.053717282505987857),
            (3, 0.5, 0.9375, -0.59708266885820484, -0.79943043083422372),
            (0.5, 1e12, 3e-12, -0.014409194045041778, -4.247084746789841),
            (3, 1e12, 1e-13, -8.7743262060386909, -0.00015466503028433628),
            (10, 1e9, 2e-8, -0.0050079302411557332, -5.2992354949102805),
            (50, 70, 0.25, -10.228570542988057, -0.000036124022127559097),
            (99, 1e10, 2e-8, -9.0401848055974269e-16, -34.639681870612543),
            (150, 150, 0.25, -46.24052687733888, -8.2793136755562729e-21),
            (1e3, 2e3, 0.125, -441.06830160770941, -2.7955706310526246e-192),
            (1e3, 2e3, 0.5, -3.3600427041245246e-76, -173.78451338409225),
            (5e11, 5e11, 0.5, -0.69314718055994531, -0.69314718055994531),
            (5e11, 5e11, 0.500001, -0.023012909325703239, -3.7831843338220786),
            (1e12, 3e12, 0.25, -0.69314702700700178, -0.69314733411291242),
            (1e12, 3e12, 0.24999, -1071.4377575085055, 0),
            (1e13, 1e13, 0.4999962, -582.04581671896402, -1.6623159963404291e-253),
        ])
    func tails(a: Double, b: Double, x: Double, lower: Double, upper: Double) {
        expectTail(IncompleteBeta.lowerLogarithm(a, b, x), lower)
        expectTail(IncompleteBeta.lowerLogarithm(b, a, 1 - x, complement: x), upper)
    }

    @Test("The distribution ends at 0 and 1")
    func ends() {
        #expect(IncompleteBeta.lowerLogarithm(2, 3, 0) == -.infinity)
        #expect(IncompleteBeta.lowerLogarithm(2, 3, 1) == 0)
        #expect(IncompleteBeta.quantile(lowerLogarithm: -.infinity, 2, 3).value == 0)
        #expect(IncompleteBeta.quantile(lowerLogarithm: 0, 2, 3).complement == 0)
    }

    @Test(
        "The quantile inverts the lower tail",
        arguments: [(0.5, 0.5), (1, 1), (2, 5), (80, 3), (500, 700), (3, 1e12), (1e12, 1e12)])
    func quantileInverts(a: Double, b: Double) {
        for logarithm in [-300.0, -50, -5, -1, -0.3] {
            let point = IncompleteBeta.quantile(lowerLogarithm: logarithm, a, b)
            let tail = IncompleteBeta.lowerLogarithm(a, b, point.value, complement: point.complement)
            // A large sample turns the last digit of x into more.
            #expect(abs(tail - logarithm) <= 1e-15 * abs(logarithm).squareRoot() * max(1, a).squareRoot() * 10 + 1e-11)
            expectClose(point.value + point.complement, 1, within: 1e-15)
        }
    }
}
