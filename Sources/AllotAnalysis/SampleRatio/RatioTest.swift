import AllotConfiguration
import AllotStatistics
import RealModule

/// The test of how many units each variant has against the shares that they should have.
///
/// It is Pearson's chi-square test where that is a good approximation: where every variant is expected to have 5 units
/// or more. Below, it is the exact multinomial test, which with two variants is the exact binomial test.
///
/// ```swift
/// if let test = RatioTest(counts: [44_700, 45_489], shares: [0.5, 0.5]) {
///     print(test.pValue)  // 0.0086
/// }
/// ```
public struct RatioTest: Sendable, Hashable {
    /// How the p-value was found.
    public enum Method: Sendable, Hashable {
        /// Pearson's approximation.
        case chiSquare
        /// From the probabilities of all counts that are possible.
        case exact
        /// From those of the variants of which few units are expected, and Pearson's approximation among the others.
        case partlyExact
        /// From the probabilities of this number of random counts, which are the same each time.
        case monteCarlo(draws: Int)
    }

    /// Pearson's statistic with its p-value and standardised residuals.
    public let chiSquare: ChiSquare
    /// The units that each variant is expected to have.
    public let expected: [Double]
    /// The test that ``pValue`` is from.
    public let method: Method
    /// The probability of counts at least as far from the shares, if the shares are true.
    public let pValue: PValue

    /// The p-value below which a sample ratio mismatch is detected, as is usual in the field.
    public static let threshold = 0.001
    /// The fewest expected units of each variant for which the chi-square test is trusted.
    public static let fewestExpected = 5.0

    /// Tests counts against shares; variants without a share are left out.
    ///
    /// - Parameters:
    ///   - counts: the units of each variant.
    ///   - shares: as many, 0 or more.
    /// - Returns: `nil` when nothing was counted, or fewer than two variants have a share.
    public init?(counts: [Int], shares: [Double]) {
        let possible = shares.indices.filter { shares[$0] > 0 }
        let total = possible.reduce(0) { $0 + Double(counts[$1]) }
        let totalShare = possible.reduce(0) { $0 + shares[$1] }
        let (possibleCounts, possibleShares) = (possible.map { counts[$0] }, possible.map { shares[$0] })
        guard let test = try? ChiSquare(counts: possibleCounts, shares: possibleShares) else { return nil }
        chiSquare = test
        expected = shares.map { total * $0 / totalShare }
        let isLarge = possibleShares.allSatisfy { total * $0 / totalShare >= Self.fewestExpected }
        // Beyond 4 trillion units the logarithms of probabilities lose their digits.
        if isLarge || total >= 0x1p42 {
            (method, pValue) = (.chiSquare, test.pValue)
        } else {
            guard let exact = try? MultinomialTest(counts: possibleCounts, shares: possibleShares) else { return nil }
            pValue = exact.pValue
            method =
                switch exact.method {
                case .exact: .exact
                case .partlyExact: .partlyExact
                case .monteCarlo(let draws): .monteCarlo(draws: draws)
                }
        }
    }
}

extension RatioTest {
    /// The deviation of a single variant's share from the expected one that would be found with a given probability.
    ///
    /// It is that of the variant whose share is the hardest to tell, the one nearest to a half; the others are found
    /// when they are off by less. Returns `nil` if there are too few units to find any deviation.
    ///
    /// - Parameters:
    ///   - threshold: the p-value below which a mismatch is detected.
    ///   - power: the probability, above the threshold and below 1.
    public func detectableDeviation(threshold: Double = Self.threshold, power: Double = 0.8) -> Double? {
        let total = expected.reduce(0, +)
        let share = expected.map { $0 / total }.min { abs($0 - 0.5) < abs($1 - 0.5) } ?? 0.5
        guard power > threshold, total > 0 else { return nil }
        let noncentrality = NoncentralChiSquare.noncentrality(
            power: power, level: threshold, degreesOfFreedom: Double(chiSquare.degreesOfFreedom))
        let deviation = Double.sqrt(noncentrality * share * (1 - share) / total)
        return deviation < max(share, 1 - share) ? deviation : nil
    }

    /// Reads a p-value below which a mismatch is detected.
    ///
    /// - Throws: if the text is not a number above 0 and below 1.
    package static func threshold(_ text: String) throws(AnalysisError) -> Double {
        guard let value = Double(text), value > 0, value < 1 else {
            throw AnalysisError("a p-value lies between 0 and 1, such as 0.001")
        }
        return value
    }

    /// The warning of a mismatch.
    ///
    /// - Parameter isRatio: whether the ratio is wrong, rather than only the variants of units.
    static func mismatchText(_ evidence: String = "", isRatio: Bool = true) -> String {
        let name = isRatio ? "SAMPLE RATIO MISMATCH" : "WRONG VARIANTS"
        return "\(name)\(evidence.isEmpty ? ", " : " \(evidence)")do not trust results before it is explained"
    }

    /// The smallest deviation that could have been found, so that nobody takes few units for a proof.
    func sensitivityText(threshold: Double) -> String {
        guard let deviation = detectableDeviation(threshold: threshold) else {
            return "these are too few units to find one"
        }
        return "a share off by \(NumberFormat.significant(deviation * 100, 2)) percentage points is found with a "
            + "probability of 80%"
    }

    /// The statistic and the p-value.
    func statisticText(threshold: String) -> String {
        if let methodText { return "p = \(pValue) \(methodText) (threshold \(threshold))" }
        let freedom = counted(chiSquare.degreesOfFreedom, "degree") + " of freedom"
        let statistic = "chi-square \(NumberFormat.fixed(chiSquare.statistic, 2)), \(freedom)"
        return "\(statistic), p = \(pValue) (threshold \(threshold))"
    }

    /// Which test was used and why, where it is not the chi-square test.
    var methodText: String? {
        let name =
            switch method {
            case .chiSquare: ""
            case .exact: "the exact \(chiSquare.degreesOfFreedom == 1 ? "binomial" : "multinomial") test"
            case .partlyExact: "the exact multinomial test of small variants and the chi-square test of the others"
            case .monteCarlo(let draws): "the multinomial test with \(draws) random draws (Monte Carlo)"
            }
        return name.isEmpty
            ? nil : "by \(name), as fewer than \(Int(Self.fewestExpected)) units are expected of some variant"
    }
}

extension RatioTest.Method {
    /// The name in JSON.
    var name: String {
        switch self {
        case .chiSquare: "chi-square"
        case .exact: "exact"
        case .partlyExact: "partly-exact"
        case .monteCarlo: "monte-carlo"
        }
    }

    /// The number of random draws, if there were any.
    var draws: Int? { if case .monteCarlo(let draws) = self { draws } else { nil } }
}
