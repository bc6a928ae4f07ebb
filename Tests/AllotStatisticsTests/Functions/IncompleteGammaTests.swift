import AllotStatistics
import Testing

/// Expected values: mpmath 1.3 with 60 digits, `log(gammainc(a, x, inf, regularized=True))`; from a = 12345.5 on, its
/// `quad` of the density.
struct IncompleteGammaTests {
    @Test(
        "The upper tail agrees with mpmath, as a logarithm",
        arguments: [
            (0.5, 1e-10, -0.000011283855333035135),
            (0.5, 0.2, -0.64038537691559638),
            (0.5, 1.920729410347062, -2.9957322735539898),
            (0.5, 1175.0, -1179.1073017363826),
            (1, 100000.0, -100000.0),
            (1.5, 20.0, -18.357228093322351),
            (4.5, 3.0, -0.30121551496853246),
            (50, 30.0, -0.00051902613331134146),
            (99.5, 100.0, -0.76197061604189129),
            (150, 90.0, -4.7953023390858117e-9),
            (150, 149.0, -0.65052889404241953),
            (150, 151.0, -0.78366235437816292),
            (150, 300.0, -49.465730223564665),
            (12345.5, 12000.0, -0.00085669527978857548),
            (12345.5, 12800.0, -10.548547820219876),
            (500000.0, 500000.0, -0.69352337770643015),
            (500000.0, 520000.0, -393.90596378915715),
            (5e12, 5e12, -0.69314729950156013),
            (5e12, 5.00000001e12, -0.6967219176019821),
            (1e13, 9.9999e12, -8.9492830718569296e-220),
            (1e13, 1.00001e13, -504.37048038656838),
            (1e13, 1.000017e13, -1449.8874136937102),
        ])
    func upperTail(a: Double, x: Double, upper: Double) {
        expectTail(IncompleteGamma.upperLogarithm(a, x), upper)
    }

    @Test("The distribution ends at 0 and infinity")
    func ends() {
        #expect(IncompleteGamma.upperLogarithm(3, 0) == 0)
        #expect(IncompleteGamma.upperLogarithm(3, .infinity) == -.infinity)
        #expect(IncompleteGamma.upperLogarithm(1e13, 1e-300) == 0)
    }

    /// What is left out where the algorithm changes, at a = 100 and at x = a + 1, would be seen as a step.
    @Test(
        "There is no step where the algorithm changes",
        arguments: [(100.0, 0.0), (100, 1), (100, -30), (100, 40)])
    func noStepBetweenAlgorithms(a: Double, offset: Double) {
        let (below, above) = (a.nextDown, a)
        expectTail(
            IncompleteGamma.upperLogarithm(below, a + offset), IncompleteGamma.upperLogarithm(above, a + offset))
        expectTail(
            IncompleteGamma.upperLogarithm(a, (a + 1 + offset).nextDown),
            IncompleteGamma.upperLogarithm(a, a + 1 + offset))
    }
}
