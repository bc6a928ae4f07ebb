import AllotStatistics
import Testing

@testable import AllotAnalysis

/// Expected values: `scipy.stats.chisquare` and `scipy.stats.chi2.logsf`, scipy 1.17.
struct SampleRatioTallyTests {
    private func report(
        _ counts: [(String, Int)], shares: String = "control=1,green=1"
    ) throws -> SampleRatioReport {
        let rows = counts.map { "\($0.0),\($0.1)\n" }.joined()
        return try sampleRatio("variant,count\n" + rows, shares: shares).reports[0]
    }

    /// Rows of units.
    private func units(
        _ rows: [(String, String)], _ configure: (inout SampleRatioAnalysis) -> Void = { _ in }
    ) throws -> SampleRatioReport {
        let rows = rows.map { "\($0.0),\($0.1)\n" }.joined()
        return try sampleRatio("unit,variant\n" + rows, shares: "control=1,green=1", configure).reports[0]
    }

    /// `scipy.stats.chisquare` and `binomtest`. The last p-value is that of all counts that are possible; that of the
    /// variant with 1 expected unit alone is 1.
    @Test(
        "Counts have the p-value of the chi-square test, and few units that of the exact one",
        arguments: [
            ([44_700, 45_489], "1:1", .chiSquare, 0.008607987810836262, 1e-10, false),
            ([1_000_000_000_000, 1_000_003_000_000], "a=1,b=1", .chiSquare, 0.03389498732134002, 1e-9, false),
            ([2, 0], "a=1,b=1", .exact, 0.5, 1e-9, false),
            ([4, 96], "a=0.1%,b=99.9%", .exact, 3.6316817007725703e-06, 1e-6, true),
            ([1000, 30], "a=999,b=1", .exact, 2.2698236378540288e-33, 1e-6, true),
            ([4987, 13], "a=999,b=1", .exact, 0.002006850136616756, 4e-10, false),
            ([1, 4750, 5249], "a=1,b=5000,c=4999", .exact, 3.6170020699766256e-06, 1e-6, true),
        ] as [([Int], String, RatioTest.Method, Double, Double, Bool)])
    func pValues(
        counts: [Int], shares: String, method: RatioTest.Method, pValue: Double, precision: Double, isMismatch: Bool
    ) throws {
        let report = try report(zip(["a", "b", "c"], counts).map { ($0, $1) }, shares: shares)
        let test = try #require(report.test)
        #expect(report.counts == counts)
        #expect(test.method == method)
        #expect(abs(test.pValue.value / pValue - 1) < precision, "\(test.pValue)")
        #expect(report.isMismatch == isMismatch)
    }

    @Test("A p-value below the least double keeps its power of ten")
    func aPValueBelowTheLeastDouble() throws {
        // mpmath.log(mpmath.gammainc(0.5, 10**6 / 6, regularized=True)); scipy underflows
        let report = try report([("control", 1_000_000), ("green", 2_000_000)])
        let test = try #require(report.test)
        #expect(abs(test.pValue.logarithm - -166_673.250910154) < 1e-6)
        #expect(test.expected == [1_500_000, 1_500_000])
        #expect(test.pValue.description.hasSuffix("e-72386"))
        #expect(report.mismatches == [.ratio(test.pValue)])
    }

    @Test("Counts of one variant are added up, unless they overflow")
    func addedUp() throws {
        let added = try report([("control", 30), ("green", 40), ("control", 12)])
        #expect(added.counts == [42, 40])
        #expect(added.rows.rows == 3)
        let half = Int.max / 2 + 1
        let error = #expect(throws: AnalysisError.self) { try report([("control", half), ("green", half)]) }
        #expect(error?.description.contains("the counts add up to more than 9223372036854775807") == true)
        #expect(try report([("control", half), ("green", half - 1)]).unitCount == Int.max)
    }

    @Test(
        "Counts without a unit, and without the variants of the shares, are refused",
        arguments: [
            ([], "control=1,green=1"), ([("control", 0), ("green", 0)], "control=1,green=1"),
            ([("", 10)], "control=1,green=1"), ([("control", 100)], "1:1"), ([("a", 1), ("b", 1), ("c", 1)], "1:1"),
        ] as [([(String, Int)], String)])
    func refused(counts: [(String, Int)], shares: String) {
        #expect(throws: AnalysisError.self) { try report(counts, shares: shares) }
    }

    @Test("Unknown variants, units of a variant without a share, and one variant alone are a mismatch")
    func impossibleVariants() throws {
        let unknown = try report([("control", 100), ("Green", 7), ("green", 100), ("Green", 5)])
        #expect(unknown.counts == [100, 100])
        #expect(unknown.unknown.variants.map { "\($0.key): \($0.count)" } == ["Green: 12"])
        #expect(unknown.mismatches == [.impossibleVariants(["Green"])])
        let old = try report([("control", 100), ("green", 100), ("old", 1)], shares: "control=1,green=1,old=0")
        #expect(old.counts == [100, 100, 1])
        #expect(old.test?.pValue == PValue(1))
        #expect(old.mismatches == [.impossibleVariants(["old"])])
        #expect(try report([("control", 100)]).isMismatch)
    }

    @Test("Ignored variants are left out")
    func ignoredVariantsAreLeftOut() throws {
        let report = try units([("a", "control"), ("b", "green"), ("c", "none")]) { $0.ignoredVariants = ["none"] }
        #expect(report.rows.ignored == 1)
        #expect(!report.isMismatch)
    }

    @Test("A unit counts once, in its first variant")
    func aUnitCountsOnce() throws {
        let rows = [
            ("a", "control"), ("b", "green"), ("a", "control"), ("a", "green"), ("", "green"), ("c", ""),
            ("b", "control"), ("a", "green"),
        ]
        let report = try units(rows) { $0.isInTimeOrder = true }
        #expect(report.counts == [1, 1])
        #expect(report.rows.rows == 8)
        #expect(report.rows.withoutUnit == 1)
        #expect(report.rows.withoutVariant == 1)
        #expect(report.multipleExposures.unitCount == 2)
        #expect(
            report.multipleExposures.examples == [
                .init(unit: "a", variants: ["control", "green"], times: ["row 1", "row 4"]),
                .init(unit: "b", variants: ["green", "control"], times: ["row 2", "row 7"]),
            ])
        #expect(report.withoutMultipleExposures == nil)
        // Without an order no variant is the first.
        let unordered = try units(rows + [("d", "green")])
        #expect(unordered.counts == [0, 1])
        #expect(unordered.multipleExposures.undecidedCount == 2)
    }

    @Test("The test is repeated without units in several variants")
    func withoutTheUnitsInSeveralVariants() throws {
        let rows = (0..<1000).flatMap { number in
            [("u\(number)", number < 500 ? "control" : "green")] + (number < 200 ? [("u\(number)", "green")] : [])
        }
        let report = try units(rows) { $0.isInTimeOrder = true }
        #expect(report.multipleExposures.unitCount == 200)
        #expect(report.alarms.contains("ratio-without-units-in-several-variants"))
        // chisquare([300, 500])
        #expect(abs((report.withoutMultipleExposures?.chiSquare.statistic ?? 0) - 50) < 1e-9)
    }

    /// Pearson's p-value of the first counts is 3.4e-4, for which 13 units would be a mismatch.
    @Test("A small variant is tested exactly, and where it would take long, by the larger one of two approximations")
    func aSmallVariant() throws {
        let test = try #require(try report([("control", 4987), ("green", 13)], shares: "control=999,green=1").test)
        #expect(test.methodText?.contains("as fewer than 1000 units are expected of some variant") == true)
        #expect(ValueRatio(shares: [999, 1]).pValue([4987, 13]) == test.pValue)
        // 12 variants of 50. By `scipy.stats` `power_divergence` is 0.002198 for the likelihood ratio, and `chisquare`
        // 0.0002297.
        let counts = [90] + Array(repeating: 46, count: 10) + [50]
        let many = try #require(RatioTest(counts: counts, shares: counts.map { _ in 1 }))
        #expect(many.method == .likelihoodRatio)
        #expect(abs(many.pValue.value - 0.0021976872535743) < 1e-9)
        // The partly exact p-value would be 0.00076; that of all 24 million counts is 0.0024.
        let few = try #require(RatioTest(counts: [5, 2, 30, 12, 7, 19], shares: [43, 18, 80, 97, 67, 98]))
        #expect(few.method == .likelihoodRatio)
        #expect(abs(few.pValue.value - 0.0019699894683769675) < 1e-9)
    }

    /// `scipy.optimize.brentq` of d - z₁ √(s (1 - s) / n) - z₂ √((s + d) (1 - s - d) / n), with z₁ of 0.001 and z₂ of
    /// the power.
    @Test(
        "The deviation that can be found is known",
        arguments: [
            (1, 10_000, 0.8, 0.020657146944541245), (999, 100_000, 0.8, 0.0004294397051991567),
            (999, 5000, 0.8, 0.0021363538161307187), (999, 5000, 0.3, 0.001129007279015533),
        ])
    func theDeviationThatCanBeFound(share: Int, units: Int, power: Double, expected: Double) throws {
        let small = units / (share + 1)
        let test = try #require(RatioTest(counts: [units - small, small], shares: [Double(share), 1]))
        let deviation = try #require(test.detectableDeviation(power: power))
        #expect(abs(deviation - expected) < 1e-9)
    }

    @Test("A deviation is not stated where too few units are expected")
    func noDeviationIsSaid() {
        #expect(RatioTest(counts: [5, 5], shares: [1, 1])?.detectableDeviation() == nil)
        let small = RatioTest(counts: [2997, 3], shares: [999, 1])
        #expect(small?.detectableDeviation() == nil)
        #expect(small?.sensitivityText(threshold: 0.001).hasPrefix("too few units are expected of some") == true)
    }

    @Test("The threshold is the caller's, and is written as it was given")
    func threshold() throws {
        let text = try sampleRatio("variant,count\ncontrol,1000\ngreen,1000\n", shares: "1:1") {
            $0.threshold = 1e-12
        }.text
        #expect(text.contains("(threshold 1e-12)"), "\(text)")
        // chisquare([460, 540]): p = 0.0114
        #expect(
            try sampleRatio("variant,count\ncontrol,460\ngreen,540\n", shares: "1:1") { $0.threshold = 0.05 }
                .isMismatch)
    }

    @Test("The order of rows is not guessed")
    func theOrderOfRowsIsNotGuessed() throws {
        let rows = (0..<60).map { ("u\($0)", "control") }
        #expect(try units(rows).sequential == .orderUnknown)
        let sequential = try units(rows) { $0.isInTimeOrder = true }.sequential
        guard case .tested(let pValue, let crossing?) = sequential else {
            Issue.record("\(sequential)")
            return
        }
        #expect(pValue < PValue(0.001))
        // The first n for which lgamma(50+n) - lgamma(50) + lgamma(100) - lgamma(100+n) + n log(2) > log(1000) is 45.
        #expect(crossing.unitCount == 45)
    }
}
