import Testing

@testable import AllotStatistics

struct RunningMomentsTests {
    private func moments(_ values: [Double]) -> RunningMoments {
        var moments = RunningMoments()
        for value in values { moments.add(value) }
        return moments
    }

    private let first = [3.1, 4.7, 2.2, 5.9, 4.4, 3.8]
    private let second = [2.9, 1.8, 3.3, 2.4, 2.0, 2.7, 3.6, 1.1]

    @Test("A difference has the interval that scipy.stats.ttest_ind(equal_var=False) gives")
    func scipy() {
        let comparison = WelchTest(control: moments(second).estimate, treatment: moments(first).estimate)
        expectClose(comparison.difference, 1.541666666666667)
        expectClose(comparison.squaredError.squareRoot(), 0.6026512192499838)
        expectClose(comparison.degreesOfFreedom, 7.985738988137509)
        let interval = comparison.interval(confidence: 0.95)
        expectClose(interval.lowerBound, 0.1515183592592919, within: 1e-9)
        expectClose(interval.upperBound, 2.931814974074042, within: 1e-9)
    }

    @Test("Moments of parts are those of the whole")
    func parts() {
        let whole = moments(first + second)
        for cut in 0...first.count + second.count {
            let all = first + second
            let sum = moments(Array(all[..<cut])) + moments(Array(all[cut...]))
            #expect(sum.count == whole.count)
            expectClose(sum.mean, whole.mean)
            expectClose(sum.variance, whole.variance)
        }
    }

    @Test("Moments keep the digits of small differences between large numbers")
    func largeNumbers() {
        expectClose(moments([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]).variance, 30)
    }
}
