import Testing

@testable import AllotStatistics

struct SampleMomentsTests {
    private let first = [3.1, 4.7, 2.2, 5.9, 4.4, 3.8]
    private let second = [2.9, 1.8, 3.3, 2.4, 2.0, 2.7, 3.6, 1.1]

    @Test("A difference has the interval that scipy.stats.ttest_ind(equal_var=False) gives")
    func scipy() {
        let comparison = WelchTest(control: SampleMoments(second).estimate, treatment: SampleMoments(first).estimate)
        expectClose(comparison.difference, 1.541666666666667)
        expectClose(comparison.squaredError.squareRoot(), 0.6026512192499838)
        expectClose(comparison.degreesOfFreedom, 7.985738988137509)
        let interval = comparison.interval(confidence: 0.95)
        expectClose(interval.lowerBound, 0.1515183592592919, within: 1e-9)
        expectClose(interval.upperBound, 2.931814974074042, within: 1e-9)
    }

    @Test("Moments of parts are those of the whole")
    func parts() {
        let whole = SampleMoments(first + second)
        for cut in 0...first.count + second.count {
            let all = first + second
            let sum = SampleMoments(Array(all[..<cut])) + SampleMoments(Array(all[cut...]))
            #expect(sum.count == whole.count)
            expectClose(sum.mean, whole.mean)
            expectClose(sum.variance, whole.variance)
        }
    }

    /// `numpy.var(…, ddof=1)`, `scipy.stats.skew` and `numpy.corrcoef`.
    @Test("Variance, skewness and correlation agree with numpy and scipy")
    func skewness() {
        let values = [9.0, 2, 6, 11, 4]
        let moments = SampleMoments(values)
        expectClose(moments.mean, 6.4)
        expectClose(moments.variance, 13.3)
        expectClose(SampleMoments.skewness(of: values), 0.09127939038949072)
        expectClose(SampleMoments.correlation([3, 5, 4, 8, 1], values), 0.4925946957524714)
        #expect(SampleMoments.correlation([1, 1, 1, 1, 1], values) == 0)
        #expect(SampleMoments([4]).variance == 0)
        #expect(SampleMoments.skewness(of: [4, 4]) == 0)
        // Numbers whose cubes no double holds.
        expectClose(SampleMoments.skewness(of: [0, 0, 0, 1e139]), 1.1547005383792515)
        #expect(SampleMoments.unitsForNormality(skewness: 2) == 1420)
    }

    @Test("Moments keep the digits of small differences between large numbers")
    func largeNumbers() {
        expectClose(SampleMoments([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]).variance, 30)
    }
}
