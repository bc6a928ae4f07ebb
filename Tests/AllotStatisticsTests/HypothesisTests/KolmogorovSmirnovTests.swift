import AllotStatistics
import Testing

struct KolmogorovSmirnovTests {
    /// The exact distribution by the matrix of Marsaglia, Tsang and Wang, in mpmath 1.3 with 40 digits. scipy's own
    /// exact mode has fewer digits where *n* is above 140.
    @Test(
        "The p-value agrees with exact fractions",
        arguments: [
            (0.7, 1, 0.60000000000000009), (0.7071067811865475, 2, 0.17157287525380998),
            (0.5196152422706632, 3, 0.28913365408343882), (0.4535573676110726, 7, 0.078272682827902297),
            (0.15811388300841897, 10, 0.93169451956709869), (0.4743416490252569, 10, 0.013775674357232805),
            (0.6767274192760332, 10, 4.6439972347284336e-5), (0.42, 25, 0.00016376334276978285),
            (0.3566666666666667, 36, 0.00013236688246185144), (0.35247142878268606, 37, 0.00012887619570366024),
            (0.35345782270651815, 37, 0.00012196986964837052), (0.21946905628508695, 60, 0.0051097066038326542),
            (0.05, 100, 0.95321597106357248), (0.214, 100, 0.00016905586566343397),
            (0.215, 100, 0.00015479682212274792),
            (0.07071067811865475, 200, 0.25765317977921236), (0.14849242404917498, 200, 0.00025858396354208844),
            (0.060104076400856535, 200, 0.44796210871591545), (0.03, 400, 0.8534112291333409),
            (0.107, 400, 0.00019239709353827298), (0.012649110640673518, 1000, 0.99663709234517266),
            (0.013281566172707192, 1000, 0.99360464303499111), (0.041109609582188934, 1000, 0.066216531781692409),
            (0.06767274192760332, 1000, 0.00019973243382876366), (0.06798896969362016, 1000, 0.00018324242134101851),
            // scipy 1.17.1, `scipy.stats.kstwo.sf(d, n)`, where it has ten digits.
            (0.3, 5, 0.664), (0.9, 10, 1.9999999999999957e-10), (0.6, 100, 5.912822156396238e-35),
            (0.1, 1000, 3.703687096817711e-09), (0.004, 100_000, 0.08130148920222469),
            (0.0067, 100_000, 0.00025116784014219014),
        ])
    func exact(statistic: Double, count: Int, expected: Double) {
        expectClose(KolmogorovSmirnov.upperTail(statistic, count: count).value, expected)
    }

    /// The distribution is continuous, also where the algorithm changes.
    @Test(
        "The p-value falls without steps where the algorithm changes",
        arguments: [20, 50, 150, 1000, 5000, 30_000])
    func fallsWithoutSteps(count: Int) {
        let root = Double(count).squareRoot()
        var last = PValue(1)
        for step in 1...120 {
            let statistic = Double(step) * 0.02 / root
            let tail = KolmogorovSmirnov.upperTail(statistic, count: count)
            #expect(tail <= last)
            last = tail
        }
        // A product of 16 and a square of 4.6, from either side.
        for edge in [16 / Double(count), (4.6 / Double(count)).squareRoot()] where edge < 0.5 {
            let before = KolmogorovSmirnov.upperTail(edge * (1 - 1e-13), count: count)
            let after = KolmogorovSmirnov.upperTail(edge * (1 + 1e-13), count: count)
            expectClose(after.value, before.value, within: 2e-11)
        }
    }

    @Test("The smallest and the largest distance have p-values 1 and 0")
    func ends() {
        #expect(KolmogorovSmirnov.upperTail(0, count: 10) == PValue(1))
        #expect(KolmogorovSmirnov.upperTail(0.05, count: 10) == PValue(1))
        #expect(KolmogorovSmirnov.upperTail(1, count: 10) == PValue(0))
        // Two times the probability that both values are in the last tenth.
        expectClose(KolmogorovSmirnov.upperTail(0.9, count: 2).value, 0.02, within: 1e-12)
        expectClose(KolmogorovSmirnov.upperTail(0.5, count: 100_000).logarithm, -53229.32764559363, within: 1e-9)
    }

    @Test("The statistic is the largest distance of the distributions")
    func statistic() throws {
        let test = try #require(KolmogorovSmirnov(uniform: [0.9, 0.1, 0.5, 0.55]))
        expectClose(test.statistic, 0.25, within: 1e-15)
        #expect(test.pValue == KolmogorovSmirnov.upperTail(test.statistic, count: 4))
        // By hand: the empirical distribution is 1 from 0.6 on.
        expectClose(try #require(KolmogorovSmirnov(uniform: [0.6, 0.2])).statistic, 0.4, within: 1e-15)
        expectClose(try #require(KolmogorovSmirnov(uniform: [0.5])).statistic, 0.5, within: 1e-15)
    }

    @Test("Values outside 0 to 1 are refused", arguments: [[], [-0.1], [0.2, 1.1], [.nan], [0.5, .infinity]])
    func notFromZeroToOne(values: [Double]) {
        #expect(KolmogorovSmirnov(uniform: values) == nil)
    }
}
