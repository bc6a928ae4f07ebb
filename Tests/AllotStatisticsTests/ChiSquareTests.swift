import AllotStatistics
import Testing

/// Expected values: scipy 1.17, `scipy.stats.chi2.sf` and `scipy.stats.chisquare`.
@Suite struct ChiSquareTests {
    @Test(arguments: [
        (0.0, 1.0, 1.0), (0.5, 1, 0.4795001221869535), (3.841458820694124, 1, 0.04999999999999989),
        (6.90, 1, 0.008619574960601723), (10.0, 2, 0.006737946999085467), (1.0, 10, 0.9998278843700441),
        (100.0, 3, 1.5541594313896026e-21), (50.0, 100, 0.9999930466947524), (150.0, 100, 0.0009039320423540184),
    ])
    func upperTail(value: Double, degreesOfFreedom: Double, expected: Double) {
        let tail = ChiSquare.upperTail(value, degreesOfFreedom: degreesOfFreedom)
        #expect(abs(tail.value - expected) <= expected * 1e-10)
    }

    @Test func countsOfARealTest() throws {
        let test = try ChiSquare(counts: [44_700, 45_489], shares: [1, 1])
        #expect(abs(test.statistic - 6.902404949605828) < 1e-9)
        #expect(abs(test.pValue.value - 0.008607987810836262) < 1e-12)
        #expect(test.degreesOfFreedom == 1)
    }

    @Test func nothingToTest() {
        #expect(throws: ChiSquareError.shares(.tooFew(count: 0))) { try ChiSquare(counts: [], shares: []) }
        #expect(throws: ChiSquareError.nothingCounted) { try ChiSquare(counts: [0, 0], shares: [1, 1]) }
        #expect(throws: ChiSquareError.shares(.tooFew(count: 1))) { try ChiSquare(counts: [5], shares: [1]) }
        #expect(throws: ChiSquareError.shares(.tooFew(count: 1))) { try ChiSquare(counts: [5, 0], shares: [1, 0]) }
    }

    @Test func aCountWhereNoneCanBe() throws {
        let test = try ChiSquare(counts: [50, 50, 1], shares: [1, 1, 0])
        #expect(test.pValue.logarithm == -.infinity)
    }
}
