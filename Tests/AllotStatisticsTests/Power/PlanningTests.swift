import TestSupport
import Testing

@testable import AllotStatistics

/// The formulas of a plan from data, against scipy.
struct PlanningTests {
    /// With `R` the correlations and `k` the number of treatments, in scipy 1.17:
    ///
    ///     both = lambda c: mvn.cdf([c] * k, cov=R, lower_limit=[-c] * k, abseps=1e-12)
    ///     c = brentq(lambda c: 1 - both(c) - alpha, 1, 5, xtol=1e-12); 2 * norm.sf(c); 1 - both(2.5)
    @Test(
        "The level of each of several comparisons with one control is that of the multivariate normal distribution",
        arguments: [
            ([1.0, 1, 1], .two, 0.05, 0.026957839446905385, 0.02349988306096007),
            ([1, 1, 1, 1], .two, 0.05, 0.01882539369970365, 0.03358291938199631),
            ([2, 1, 1], .two, 0.05, 0.025977773586182664, 0.024214890950583934),
            ([50, 30, 20], .two, 0.01, 0.005075936295325411, 0.024233171124395048),
            ([1, 1, 1], .one, 0.05, 0.027661428618923314, 0.011749965904025994),
            ([1, 3, 5, 2], .one, 0.1, 0.05120768381491638, 0.014150509717915205),
        ] as [([Double], TestSides, Double, Double, Double)])
    func dunnett(shares: [Double], sides: TestSides, level: Double, comparison: Double, exceeding: Double) throws {
        let dunnett = Dunnett(shares: shares, sides: sides)
        // The integration of scipy has about seven digits from three treatments on.
        expectClose(dunnett.comparisonSignificance(level), comparison, within: 1e-5)
        expectClose(dunnett.exceeding(2.5), exceeding, within: 1e-5)
        let bonferroni = level / Double(shares.count - 1)
        #expect(dunnett.comparisonSignificance(level) > bonferroni)
        let analysis = try PowerAnalysis.rate(0.1, shares, significance: level, sides: sides, correction: .dunnett)
        #expect(analysis.comparisonSignificance == dunnett.comparisonSignificance(level))
    }

    /// Dunnett, "New tables for multiple comparisons with a control" (1964), for infinitely many degrees of freedom.
    @Test(
        "The limits of two to five treatments are those of Dunnett's table",
        arguments: [(2, 2.21), (3, 2.35), (4, 2.44), (5, 2.51)])
    func table(treatments: Int, limit: Double) {
        let dunnett = Dunnett(shares: Array(repeating: 1, count: treatments + 1), sides: .two)
        let level = dunnett.comparisonSignificance(0.05)
        #expect(abs(Normal.upperQuantile(level / 2) - limit) <= 0.006)
    }

    @Test("One treatment has the whole level")
    func oneTreatment() {
        #expect(Dunnett(shares: [3, 1], sides: .two).comparisonSignificance(0.05) == 0.05)
    }

    /// One design of Welch's test.
    struct Design: Sendable {
        let sizes: (Double, Double)
        let variance: Double
        let factor: Double
        let level: Double
        let sides: TestSides
        let effect: Double
    }

    /// With `a` and `b` the squared errors of the arms, `df` Satterthwaite's, and `c = t.isf(level / sides, df)`:
    /// `nct.sf(c, df, effect / sqrt(a + b)) + nct.cdf(-c, df, effect / sqrt(a + b))`; the effect and the margin of a
    /// power of 80% by `brentq`.
    @Test(
        "Power, smallest effect and smallest margin of Welch's test agree with scipy's noncentral t",
        arguments: [
            (
                Design(sizes: (100, 100), variance: 1, factor: 1, level: 0.05, sides: .two, effect: 0.4),
                [0.803647504421266, 0.398138137568236, 0.3981386248742949, 0.8036466048766672]
            ),
            (
                Design(sizes: (5000, 1000), variance: 2500, factor: 1, level: 0.05, sides: .two, effect: 5),
                [0.8224771727079103, 4.855750382274723, 4.855756329047241, 0.822476538931063]
            ),
            (
                Design(sizes: (30, 90), variance: 4, factor: 1.21, level: 0.01, sides: .one, effect: 1.2),
                [0.6474344910408738, 1.4056312129174335, 1.4056312129174335, 0.6474344910408738]
            ),
            (
                Design(sizes: (20, 20), variance: 1, factor: 1, level: 0.05, sides: .two, effect: 0.9),
                [0.7920362552634234, 0.9091290326820795, 0.9091301276269904, 0.7920351699903848]
            ),
        ] as [(Design, [Double])])
    func welchPower(design: Design, expected: [Double]) {
        let comparison = SampleComparison(
            control: design.sizes.0, treatment: design.sizes.1, significance: design.level, sides: design.sides)
        let welch = WelchDesign(comparison, variance: design.variance, treatmentFactor: design.factor)
        expectClose(welch.power(effect: design.effect), expected[0], within: 1e-8)
        expectClose(welch.power(effect: -design.effect), expected[0], within: 1e-8)
        expectClose(welch.detectableEffect(power: 0.8), expected[1], within: 1e-8)
        expectClose(welch.detectableMargin(power: 0.8), expected[2], within: 1e-8)
        expectClose(welch.powerOfNonInferiority(margin: design.effect), expected[3], within: 1e-8)
    }

    /// `r = -lambertw(-alpha**2 / e, -1).real - 1`, `tau2 = r * V`; the limit at a variance W is
    /// `sqrt((1 + W / tau2) * (2 * log(1 / alpha) + log1p(tau2 / W)))`.
    @Test(
        "The mixture of the always-valid test is tuned by Lambert's function",
        arguments: [
            (
                0.05, 1.0,
                [8.211968062068253, 3.035122413028551, 3.251099680692813, 3.876743646592922, 0.16919738199922826]
            ),
            (
                0.05, 0.0025,
                [0.020529920155170633, 3.035122413028551, 3.251099680692813, 0.19383718232964614, 0.16919738199922837]
            ),
            (
                0.01, 4,
                [47.025484889981676, 3.571606252443769, 3.765830616753331, 8.826454972033362, 0.06825822486072516]
            ),
            (
                0.001, 1,
                [16.68842079085992, 4.205760429560856, 4.377677894262818, 5.04738166313377, 0.017077787869681234]
            ),
        ] as [(Double, Double, [Double])])
    func mixture(alpha: Double, variance: Double, expected: [Double]) {
        let mixture = NormalMixture(significance: alpha, tunedTo: variance)
        expectClose(mixture.variance, expected[0])
        expectClose(mixture.limit(squaredError: variance), expected[1])
        expectClose(mixture.limit(squaredError: 4 * variance), expected[2])
        expectClose(mixture.detectableEffect(power: 0.8, squaredError: variance), expected[3], within: 1e-9)
        let effect = 3 * variance.squareRoot()
        expectClose(mixture.power(effect: effect, squaredError: 2 * variance), expected[4], within: 1e-9)
        // No other mixture has a lower limit at the planned end.
        for factor in [0.5, 0.9, 1.1, 2] {
            let other = NormalMixture(significance: alpha, tunedTo: variance * factor)
            #expect(other.limit(squaredError: variance) > mixture.limit(squaredError: variance))
        }
    }

    /// Without an effect the estimate after each look is a random walk: Ville's inequality bounds how often it ever
    /// crosses the limit.
    @Test("Looking a hundred times raises no more false alarms than the level")
    func alwaysValid() {
        var generator = SeededGenerator(seed: 7)
        let mixture = NormalMixture(significance: 0.05, tunedTo: 1.0 / 100)
        var alarms = 0
        for _ in 0..<2000 {
            var sum = 0.0
            for look in 1...100 {
                // The sum of twelve uniform numbers is nearly normal, with a variance of 1.
                sum += (0..<12).reduce(-6.0) { total, _ in total + Double.random(in: 0..<1, using: &generator) }
                let squaredError = 1 / Double(look)
                let statistic = abs(sum / Double(look)) / squaredError.squareRoot()
                if statistic >= mixture.limit(squaredError: squaredError) {
                    alarms += 1
                    break
                }
            }
        }
        #expect((20...100).contains(alarms), "\(alarms)")
    }

    // MARK: Estimates

    /// Values that Python makes as well: `x = (x * 1103515245 + 12345) % 2**31; x % 1000`.
    private static func numbers(_ seed: Int, _ count: Int) -> [Double] {
        var state = seed
        return (0..<count).map { _ in
            state = (state * 1_103_515_245 + 12_345) % (1 << 31)
            return Double(state % 1000)
        }
    }

    private static func arm(_ seeds: (Int, Int, Int), _ count: Int) -> [(y: Double, d: Double, x: Double)] {
        let (first, second, third) = (numbers(seeds.0, count), numbers(seeds.1, count), numbers(seeds.2, count))
        return (0..<count).map { index in
            let (d, x) = (second[index] + 1, third[index])
            return (first[index] / 10 + 0.5 * d + 0.2 * x, d, x)
        }
    }

    private static let arms = [arm((1, 2, 3), 40), arm((4, 5, 6), 30)]

    private static func sums(isRatio: Bool) -> (ratio: Double, arms: [SampleSums]) {
        let all = arms.flatMap(\.self)
        let count = Double(all.count)
        let ratio = all.reduce(0) { $0 + $1.y } / all.reduce(0) { $0 + (isRatio ? $1.d : 1) }
        let mean = all.reduce(0) { $0 + $1.x } / count
        let sums = arms.map { arm in
            arm.reduce(into: SampleSums()) { sums, unit in
                let size = isRatio ? unit.d : 1
                sums.add(residual: unit.y - ratio * size, size: size, covariate: unit.x - mean)
            }
        }
        return (ratio, sums)
    }

    private static func check(_ sums: [SampleSums], adjusts: Bool, _ expected: [Double]) throws {
        let estimates = try #require(SampleSums.estimates(of: sums, adjusts: adjusts))
        expectClose(estimates[1].value - estimates[0].value, expected[0], within: 1e-9)
        expectClose(estimates[0].squaredError, expected[1], within: 1e-9)
        expectClose(estimates[1].squaredError, expected[2], within: 1e-9)
    }

    /// The delta method: `(var(y) / d**2 - 2 * y / d**3 * cov(y, d) + y**2 / d**4 * var(d)) / n` with numpy. CUPED:
    /// `theta` over both arms, around the mean of each; the variance of `(y - R * d) / d.mean() - theta * x`.
    @Test("Ratios have the variance of the delta method, with and without a covariate, and with an effect")
    func ratios() throws {
        let (ratio, sums) = Self.sums(isRatio: true)
        let control = 0.00154563613163486
        try Self.check(sums, adjusts: false, [0.026406800520890283, control, 0.001996984714511654])
        try Self.check(sums, adjusts: true, [0.0017616734578579374, 0.00109666900781, 0.0016676213070555602])
        let multiplied = sums[1].changed(by: .multiplied(0.1), ratio: ratio)
        try Self.check([sums[0], multiplied], adjusts: false, [0.11068490747356419, control, 0.0024163515045591004])
        let added = sums[1].changed(by: .added(0.25), ratio: ratio)
        try Self.check([sums[0], added], adjusts: false, [0.2764068005208903, control, 0.0019969847145116532])
        #expect(InjectedEffect.multiplied(0.1).varianceFactor == 1.1 * 1.1)
        #expect(InjectedEffect.added(3).varianceFactor == 1)
    }

    /// `scipy.stats.ttest_ind(b, a, equal_var=False)`.
    @Test("Means are compared by Welch's test")
    func means() throws {
        let estimates = try #require(SampleSums.estimates(of: Self.sums(isRatio: false).arms, adjusts: false))
        let test = WelchTest(control: estimates[0], treatment: estimates[1])
        expectClose(test.difference, -2.359999999999957, within: 1e-9)
        expectClose(test.degreesOfFreedom, 61.464845335339334, within: 1e-9)
        expectClose(test.pValue(.two).value, 0.9517177207634554, within: 1e-9)
    }

    /// `scipy.stats.ttest_ind(b, a, equal_var=False, alternative=…)` of seven and five values.
    @Test("Welch's test has the p-values of scipy, on one side and on both")
    func welchTest() throws {
        let samples: [[Double]] = [[3, 5, 4, 8, 1, 0, 7], [9, 2, 6, 11, 4]]
        let sums = samples.map { values in
            values.reduce(into: SampleSums()) { $0.add(residual: $1 - 5, size: 1, covariate: 0) }
        }
        let estimates = try #require(SampleSums.estimates(of: sums, adjusts: true))
        let test = WelchTest(control: estimates[0], treatment: estimates[1])
        expectClose(test.statistic, 1.2155841226937871)
        expectClose(test.degreesOfFreedom, 7.506074310258842)
        expectClose(test.pValue(.two).value, 0.2609889282686218)
        expectClose(test.pValue(.one).value, 0.1304944641343109)
        let reversed = WelchTest(control: estimates[1], treatment: estimates[0])
        expectClose(reversed.pValue(.one).value, 0.8695055358656891)
    }

    /// With `a = (i * 37 % 101) / 10`, `b = (i * 53 % 97) / 9 + (i * 37 % 101) / 30`, `n = i % 5 + 1`,
    /// `m = i % 7 + 1` for `i` from 0 to 39: `scipy.stats.ttest_rel(b, a)`; and of ratios, before and after `b *= 1.1`,
    /// `e = (b - rb * m) / m.mean() - (a - ra * n) / n.mean(); (e @ e) / 39 / 40` with numpy.
    @Test("Pairs have scipy's paired t-test, and the delta method of ratios with the covariance of both arms")
    func pairs() throws {
        let pairs = (0..<40).map { index in
            let first = Double(index * 37 % 101)
            return (
                a: first / 10, b: Double(index * 53 % 97) / 9 + first / 30, n: Double(index % 5 + 1),
                m: Double(index % 7 + 1)
            )
        }
        func sums(isRatio: Bool) -> (arms: [SampleSums], products: PairProducts, ratio: Double) {
            let size = pairs.reduce(0) { $0 + (isRatio ? $1.n + $1.m : 2) }
            let ratio = pairs.reduce(0) { $0 + $1.a + $1.b } / size
            var (arms, products) = ([SampleSums(), SampleSums()], PairProducts())
            for pair in pairs {
                let (n, m) = isRatio ? (pair.n, pair.m) : (1, 1)
                let (control, treatment) = ((pair.a - ratio * n, n), (pair.b - ratio * m, m))
                arms[0].add(residual: control.0, size: n, covariate: 0)
                arms[1].add(residual: treatment.0, size: m, covariate: 0)
                products.add(control: control, treatment: treatment)
            }
            return (arms, products, ratio)
        }
        let means = sums(isRatio: false)
        let test = try #require(means.products.test(control: means.arms[0], treatment: means.arms[1]))
        expectClose(test.difference, 1.5766666666666667, within: 1e-9)
        expectClose(test.statistic, 2.879020934866095, within: 1e-9)
        expectClose(test.pValue(.two).value, 0.0064447424895311516, within: 1e-9)
        expectClose(test.reversed.statistic, -2.879020934866095, within: 1e-9)
        let (arms, products, ratio) = sums(isRatio: true)
        let ratios = try #require(products.test(control: arms[0], treatment: arms[1]))
        expectClose(ratios.difference, 0.03166666666666673, within: 1e-9)
        expectClose(ratios.squaredError, 0.058626163985165014, within: 1e-9)
        let effect = InjectedEffect.multiplied(0.1)
        let changed = try #require(
            products.changed(by: effect, ratio: ratio).test(
                control: arms[0], treatment: arms[1].changed(by: effect, ratio: ratio)))
        expectClose(changed.difference, 0.2010000000000005, within: 1e-9)
        expectClose(changed.squaredError, 0.06444203828909621, within: 1e-9)
        #expect(PairProducts().test(control: SampleSums(), treatment: SampleSums()) == nil)
    }

    /// `nct.sf(c, 49, 0.9 / sqrt(v)) + nct.cdf(-c, 49, 0.9 / sqrt(v))` with `c = t.isf(0.025, 49)` and
    /// `v = 4 * (1 + 1.21 - 2 * 0.3 * 1.1) / 50`.
    @Test("The power of pairs is that of the paired t-test")
    func powerOfPairs() {
        let comparison = SampleComparison(control: 50, treatment: 50, significance: 0.05, sides: .two)
        let design = WelchDesign(pairs: comparison, variance: 4, correlation: 0.3, treatmentFactor: 1.21)
        expectClose(design.squaredError, 0.124)
        expectClose(design.power(effect: 0.9), 0.7073009281032068, within: 1e-9)
    }

    /// Each arm is constant but for a covariate that says all of the rest; sums of such numbers are not exact.
    @Test(
        "Without variance no difference is found, and the noise of sums does not count as one",
        arguments: [1.0, -0.7, 0], [0, 0.3])
    func noVariance(difference: Double, slope: Double) throws {
        let levels = [-difference / 2, difference / 2]
        let arms = levels.map { level in
            (0..<7).reduce(into: SampleSums()) { sums, index in
                let covariate = Double(index) - 3
                sums.add(residual: level + slope * covariate, size: 1, covariate: covariate)
            }
        }
        let products = (0..<7).reduce(into: PairProducts()) { products, index in
            let shared = slope * (Double(index) - 3)
            products.add(control: (levels[0] + shared, 1), treatment: (levels[1] + shared, 1))
        }
        let estimates = try #require(SampleSums.estimates(of: arms, adjusts: true))
        let welch = WelchTest(control: estimates[0], treatment: estimates[1])
        let paired = try #require(products.test(control: arms[0], treatment: arms[1]))
        for test in [welch, welch.reversed, paired, paired.reversed] {
            #expect(abs(abs(test.difference) - abs(difference)) < 1e-9)
            #expect(test.squaredError == 0)
            #expect(test.statistic == 0)
            #expect([test.pValue(.one), test.pValue(.two)] == [PValue(1), PValue(1)])
        }
    }

    @Test("Arms with fewer than two units, or without any size, have no estimate")
    func noEstimate() {
        var one = SampleSums()
        one.add(residual: 1, size: 1, covariate: 0)
        var empty = SampleSums()
        for _ in 0..<3 { empty.add(residual: 0, size: 0, covariate: 0) }
        #expect(SampleSums.estimates(of: [one], adjusts: false) == nil)
        #expect(SampleSums.estimates(of: [empty], adjusts: false) == nil)
    }
}
