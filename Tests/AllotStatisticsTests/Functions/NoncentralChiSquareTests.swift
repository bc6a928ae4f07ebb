import Testing

@testable import AllotStatistics

/// Expected values: `scipy.stats.ncx2` and `scipy.optimize.brentq`, scipy 1.17.
struct NoncentralChiSquareTests {
    struct Example: Sendable {
        let degreesOfFreedom: Double
        /// That of a power of 0.8 at a level of 0.001.
        let noncentrality: Double
        /// The power at the same level with a noncentrality of 10.
        let power: Double
    }

    static let examples = [
        Example(degreesOfFreedom: 1, noncentrality: 17.074646805187548, power: 0.44897593373951417),
        Example(degreesOfFreedom: 2, noncentrality: 19.662385609330002, power: 0.34206281386198295),
        Example(degreesOfFreedom: 9, noncentrality: 28.795101996553523, power: 0.1257105111094695),
        Example(degreesOfFreedom: 99, noncentrality: 67.66269385108144, power: 0.00973266655363084),
    ]

    @Test("Noncentralities and powers agree with scipy", arguments: examples)
    func agreesWithScipy(example: Example) {
        let freedom = example.degreesOfFreedom
        expectClose(
            NoncentralChiSquare.noncentrality(power: 0.8, level: 0.001, degreesOfFreedom: freedom),
            example.noncentrality)
        var (low, high) = (0.0, 1000.0)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            let isAbove = ChiSquare.upperTail(middle, degreesOfFreedom: freedom).value > 0.001
            (low, high) = isAbove ? (middle, high) : (low, middle)
        }
        expectClose(
            NoncentralChiSquare.upperTail(high, degreesOfFreedom: freedom, noncentrality: 10), example.power)
        expectClose(NoncentralChiSquare.upperTail(high, degreesOfFreedom: freedom, noncentrality: 0), 0.001)
    }
}
