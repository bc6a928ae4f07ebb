import AllotStatistics
import Testing

struct ChiSquareTests {
    /// scipy 1.17.1, `scipy.stats.chi2.sf`.
    @Test(
        "The upper tail agrees with scipy",
        arguments: [
            (0.0, 1.0, 1.0), (0.5, 1, 0.4795001221869535), (3.841458820694124, 1, 0.04999999999999989),
            (6.90, 1, 0.008619574960601723), (10.0, 2, 0.006737946999085467), (1.0, 10, 0.9998278843700441),
            (100.0, 3, 1.5541594313896026e-21), (50.0, 100, 0.9999930466947524), (150.0, 100, 0.0009039320423540184),
        ])
    func upperTail(value: Double, degreesOfFreedom: Double, expected: Double) {
        expectClose(ChiSquare.upperTail(value, degreesOfFreedom: degreesOfFreedom).value, expected)
    }

    /// mpmath 1.3 with 60 digits, from the shares' exact values; `scipy.stats.chisquare` agrees where it has digits.
    static let cases: [([Int], [Double], Double, Int, Double, [Double])] = [
        (
            [44_700, 45_489], [1, 1], 6.9024049496058278, 1, -4.7550646915910994,
            [-2.6272428417650752, 2.6272428417650752]
        ),
        (
            [821_588, 815_482], [50, 50], 22.77436884189436, 1, -13.215689446917376,
            [4.7722498721142379, -4.7722498721142379]
        ),
        (
            [7, 4, 16], [1, 1, 2], 1.5925925925925926, 2, -0.7962962962962963,
            [0.11111111111111111, -1.2222222222222222, 0.96225044864937627]
        ),
        (
            [50_434, 50_600, 49], [0.4995, 0.4995, 0.001], 27.13550079466208, 2, -13.56775039733104,
            [-0.35830238179174893, 0.68593500819271911, -5.1829161921711628]
        ),
        (
            [61_800, 38_200, 0], [0.6, 0.4, 0], 135, 1, -70.185703738970328,
            [11.618950038622265, -11.618950038622265, 0]
        ),
        (
            [151_000, 49_000], [0.5, 0.5], 52020, 1, -26015.655502344598, [228.07893370497855, -228.07893370497855]
        ),
        ([500_000_001_000, 499_999_999_000], [0.5, 0.5], 4e-6, 1, -0.0015970426517587698, [0.002, -0.002]),
        (
            [333_333_333_333, 333_333_343_333, 333_333_333_334], [1, 1, 1], 0.0001999800000002, 2, -0.0000999900000001,
            [-0.0070717748832877875, 0.014141428446242622, -0.0070696535629548344]
        ),
        (
            [9_000_000_000_000_000_000, 9_000_000_004_000_000_000], [1, 1], 0.88888888869135802, 1,
            -1.0619566330270578, [-0.94280904147730681, 0.94280904147730681]
        ),
    ]

    @Test("Statistic and p-value agree with scipy", arguments: cases)
    func counts(
        counts: [Int], shares: [Double], statistic: Double, degreesOfFreedom: Int, logarithm: Double,
        residuals: [Double]
    ) throws {
        let test = try ChiSquare(counts: counts, shares: shares)
        expectClose(test.statistic, statistic)
        #expect(test.degreesOfFreedom == degreesOfFreedom)
        expectTail(test.pValue.logarithm, logarithm)
        #expect(test.residuals.count == residuals.count)
        for (residual, expected) in zip(test.residuals, residuals) { expectClose(residual, expected) }
    }

    /// mpmath 1.3: the logarithm is -1179.2625677184948.
    @Test("A p-value below the least double keeps its power of ten")
    func aPValueBelowTheLeastDouble() throws {
        let test = try ChiSquare(counts: [524_240, 475_760], shares: [1, 1])
        #expect(test.pValue.value == 0)
        #expect(abs(test.pValue.logarithm + 1179.2625677184948) < 1e-10)
        #expect(test.pValue.description == "7.1e-513")
    }

    @Test("The unit of the shares does not matter", arguments: [1e-300, 1e-10, 7, 1e300])
    func unitOfShares(unit: Double) throws {
        let test = try ChiSquare(counts: [10, 20, 33], shares: [1, 2, 3].map { $0 * unit })
        let expected = try ChiSquare(counts: [10, 20, 33], shares: [1, 2, 3])
        expectClose(test.statistic, expected.statistic, within: 1e-14)
        #expect(test.residuals.count { $0 > 0 } == expected.residuals.count { $0 > 0 })
    }

    @Test("Exactly the expected counts have a p-value of 1")
    func expectedCountsAreNotSurprising() throws {
        let test = try ChiSquare(counts: [30, 60, 10], shares: [3, 6, 1])
        #expect(test.statistic == 0)
        #expect(test.pValue == PValue(1))
        #expect(test.residuals == [0, 0, 0])
    }

    @Test("A count in a category of share 0, or of a share that underflows, is impossible")
    func impossibleCount() throws {
        let test = try ChiSquare(counts: [50, 50, 1], shares: [1, 1, 0])
        #expect(test.statistic == .infinity)
        #expect(test.pValue.logarithm == -.infinity)
        #expect(test.pValue.description == "0")
        #expect(test.residuals[2] == .infinity)
        #expect(test.degreesOfFreedom == 1)
        let shares = [1e300, 1e300, .leastNonzeroMagnitude]
        #expect(try ChiSquare(counts: [50, 50, 0], shares: shares).statistic == 0)
        #expect(try ChiSquare(counts: [50, 50, 1], shares: shares).pValue.logarithm == -.infinity)
    }

    @Test(
        "Counts and shares that do not fit are refused",
        arguments: [
            (
                [], [], CountsError.tooFewShares(count: 0),
                "0 categories have a share above 0; give two or more one"
            ),
            ([5], [1], .tooFewShares(count: 1), "1 category has a share above 0; give two or more one"),
            ([5, 0], [1, 0], .tooFewShares(count: 1), "1 category has a share above 0; give two or more one"),
            ([0, 0], [1, 1], .nothingCounted, "all counts are 0; there is nothing to test yet"),
            (
                [1, 2, 3], [1, 1], .unequalLengths(counts: 3, shares: 2),
                "there are 3 counts and 2 shares; give one share for each count"
            ),
            ([1, -2], [1, 1], .negativeCount(index: 1, count: -2), "count 2 is -2; a count is 0 or more"),
            (
                [1, 2], [-0.5, 1], .invalidShare(index: 0, share: -0.5),
                "share 1 is -0.5; a share is a finite number of 0 or more"
            ),
            (
                [1, 2], [1, .infinity], .invalidShare(index: 1, share: .infinity),
                "share 2 is inf; a share is a finite number of 0 or more"
            ),
        ])
    func refusals(counts: [Int], shares: [Double], error: CountsError, text: String) {
        #expect(throws: error) { try ChiSquare(counts: counts, shares: shares) }
        #expect(error.description == text)
    }

    @Test("A share that is not a number is refused")
    func shareThatIsNotANumber() throws {
        let error = #expect(throws: CountsError.self) { try ChiSquare(counts: [1, 2], shares: [.nan, 1]) }
        #expect(error?.description == "share 1 is nan; a share is a finite number of 0 or more")
    }
}
