import AllotReports
import Testing

@testable import AllotAnalysis

struct NumberFormatTests {
    @Test(
        "Digits are grouped in threes",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (1_000_000, "1,000,000")])
    func groups(number: Int, expected: String) {
        #expect(NumberFormat.grouped(number) == expected)
    }

    @Test(
        "Decimals are rounded and kept",
        arguments: [
            (0.0, 2, "0.00"), (1.005, 1, "1.0"), (-0.25, 1, "-0.3"), (999_999.96, 1, "1,000,000.0"), (12.5, 0, "13"),
            (1e12, 2, "1000000000000.0"), (.infinity, 2, "inf"),
        ])
    func decimals(value: Double, places: Int, expected: String) {
        #expect(NumberFormat.grouped(value, places) == expected)
    }

    @Test(
        "Significant digits are as many as requested, and text where there are none",
        arguments: [
            (0, "0"), (1234.56, "1235"), (-0.000012346, "-0.00001235"), (1.5e-9, "1.5e-9"), (2e15, "2e15"),
            (.infinity, "inf"), (-.infinity, "-inf"), (.nan, "nan"),
        ])
    func significantDigits(value: Double, expected: String) {
        #expect(NumberFormat.significant(value, 4) == expected)
    }

    @Test(
        "Scores have a sign, percentages no needless zeros, and nothing and everything are said only where it is so",
        arguments: [
            (NumberFormat.signed(0.04, 1), "+0.0"), (NumberFormat.signed(-0.04, 1), "-0.0"),
            (NumberFormat.signed(2, 2), "+2.00"), (NumberFormat.percent(0.05), "5%"),
            (NumberFormat.percent(0.001), "0.1%"), (NumberFormat.percent(1), "100%"),
            (NumberFormat.percent(41_666_625_000, of: 1_000_000_000_000), "4.1666625%"),
            (NumberFormat.percent(1, of: 3), "33.3333333333%"), (NumberFormat.percent(2, of: 2), "100%"),
            (NumberFormat.percent(0.999999, digits: 4), "99.9999%"),
            (NumberFormat.percent(-0.999998, digits: 4), "-99.9998%"),
            (NumberFormat.percent(0.9994, digits: 4), "99.94%"), (NumberFormat.percent(1, digits: 4), "100%"),
            (NumberFormat.share(0.25), "25.00%"), (NumberFormat.share(0.000015), "0.0015%"),
            (NumberFormat.share(0.999985), "99.9985%"), (NumberFormat.share(0), "0.00%"),
            (NumberFormat.share(1), "100.00%"), (NumberFormat.countedInGroups(1, "pair"), "1 pair"),
            (NumberFormat.countedInGroups(1200, "pair"), "1,200 pairs"),
        ] as [(String, String)])
    func texts(text: String, expected: String) {
        #expect(text == expected)
    }
}
