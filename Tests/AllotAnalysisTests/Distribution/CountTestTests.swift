import AllotStatistics
import Testing

@testable import AllotAnalysis

struct CountTestTests {
    private static func cells(_ observed: [Int], _ expected: [Double]) -> [(observed: Int, expected: Double)] {
        zip(observed, expected).map { ($0, $1) }
    }

    /// scipy 1.17: `chisquare([16, 984], [5, 995])` and `power_divergence` with lambda 0. Poisson's distribution gives
    /// 6.9e-5 for 16 or more where 5 are expected.
    @Test("Rare counts are judged by the likelihood ratio")
    func rareCountsAreJudgedByTheLikelihoodRatio() throws {
        let pearson = try ChiSquare(counts: [16, 984], shares: [5, 995])
        #expect(abs(pearson.pValue.value / 8.151945158372248e-07 - 1) < 1e-9)
        let test = try #require(
            CountTest.result(
                statistic: pearson.statistic, degreesOfFreedom: 1, pValue: pearson.pValue,
                cells: Self.cells([16, 984], [5, 995])))
        #expect(abs(test.pValue.value / 8.965795834450821e-05 - 1) < 1e-9)
        #expect(test.statistic == pearson.statistic)
    }

    @Test("Counts with many expected units are left to Pearson's test")
    func manyExpectedOrOrdinaryCountsAreLeftToPearson() throws {
        let large = CountTest.result(
            statistic: 30, degreesOfFreedom: 1, pValue: PValue(1e-9), cells: Self.cells([1200, 800], [1000, 1000]))
        #expect(large?.pValue == PValue(1e-9))
        let ordinary = CountTest.result(
            statistic: 1, degreesOfFreedom: 1, pValue: PValue(0.2), cells: Self.cells([9, 991], [5, 995]))
        #expect(ordinary?.pValue == PValue(0.2))
    }

    @Test("Fewer than 5 expected units are not tested")
    func fewerThanFiveAreNotTested() {
        #expect(
            CountTest.result(
                statistic: 1, degreesOfFreedom: 1, pValue: PValue(0.5), cells: Self.cells([4, 96], [4.9, 95.1])) == nil)
        #expect(CountTest.independence(of: [[1, 2], [3, 4]]).test == nil)
        #expect(CountTest.independence(of: [[0, 0], [3, 4]]).phi == 0)
        #expect(CountTest.independence(of: [[0, 0], [0, 0]]).test == nil)
    }
}
