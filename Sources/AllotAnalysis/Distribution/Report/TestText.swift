import AllotStatistics

/// A test result in a line.
enum TestText {
    /// `χ² = 1.25, 2 df, p = 0.5353`.
    static func text(_ test: TestResult?) -> String {
        guard let test else { return untested }
        return "χ² = \(NumberText.fixed(test.statistic, 2)), \(NumberText.grouped(test.degreesOfFreedom)) df, "
            + "p = \(test.pValue)" + correction(test)
    }

    /// `first p = 0.12`.
    static func short(_ name: String, _ test: TestResult?) -> String {
        "\(name) p = \(test.map { "\($0.pValue)\(correction($0))" } ?? "–")"
    }

    /// Why there is no result.
    static let untested = "not tested: fewer than 5 units are expected somewhere"

    /// What Holm's correction makes of a p-value that is small by itself.
    private static func correction(_ test: TestResult) -> String {
        test.pValue < PValue(0.05) ? " (adjusted \(test.adjustedPValue))" : ""
    }
}
