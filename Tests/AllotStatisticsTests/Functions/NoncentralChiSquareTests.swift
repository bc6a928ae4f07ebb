import Testing

@testable import AllotStatistics

/// Expected values: `scipy.stats.ncx2` and `scipy.optimize.brentq`, scipy 1.17.
struct NoncentralChiSquareTests {
    /// By degrees of freedom the noncentrality of a power of 0.8 at a level of 0.001, and the power of 10 there.
    @Test(
        "Noncentralities and powers agree with scipy",
        arguments: [
            (1.0, 17.074646805187548, 0.44897593373951417), (2, 19.662385609330002, 0.34206281386198295),
            (9, 28.795101996553523, 0.1257105111094695), (99, 67.66269385108144, 0.00973266655363084),
        ])
    func agreesWithScipy(freedom: Double, noncentrality: Double, power: Double) {
        expectClose(
            NoncentralChiSquare.noncentrality(power: 0.8, level: 0.001, degreesOfFreedom: freedom), noncentrality)
        var (low, high) = (0.0, 1000.0)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            let isAbove = ChiSquare.upperTail(middle, degreesOfFreedom: freedom).value > 0.001
            (low, high) = isAbove ? (middle, high) : (low, middle)
        }
        expectClose(NoncentralChiSquare.upperTail(high, degreesOfFreedom: freedom, noncentrality: 10), power)
        expectClose(NoncentralChiSquare.upperTail(high, degreesOfFreedom: freedom, noncentrality: 0), 0.001)
    }
}
