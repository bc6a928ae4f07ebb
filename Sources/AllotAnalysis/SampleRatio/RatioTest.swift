import AllotStatistics
import RealModule

/// The test of how many units each variant has against the shares that they should have.
///
/// It is Pearson's chi-square test where that is a good approximation: where every variant is expected to have 5 units
/// or more. Below, it is the Bayes factor of Lindon and Malek (2022) against the shares, whose inverse is a valid,
/// though cautious, p-value for any number of units.
///
/// ```swift
/// if let test = RatioTest(counts: [44_700, 45_489], shares: [0.5, 0.5]) {
///     print(test.pValue)  // 0.0086
/// }
/// ```
public struct RatioTest: Sendable, Hashable {
    /// How the p-value was found.
    public enum Method: String, Sendable {
        case chiSquare = "chi-square"
        case bayesFactor = "bayes-factor"
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
        guard let test = try? ChiSquare(counts: possible.map { counts[$0] }, shares: possible.map { shares[$0] })
        else { return nil }
        chiSquare = test
        expected = shares.map { total * $0 / totalShare }
        if possible.allSatisfy({ total * shares[$0] / totalShare >= Self.fewestExpected }) {
            method = .chiSquare
            pValue = test.pValue
        } else {
            guard var sequential = try? SequentialRatioTest(shares: possible.map { shares[$0] }) else { return nil }
            sequential.observe(counts: possible.map { counts[$0] })
            method = .bayesFactor
            pValue = sequential.pValue
        }
    }
}

extension RatioTest {
    /// The warning of a mismatch.
    static func mismatchText(_ evidence: String = "") -> String {
        "SAMPLE RATIO MISMATCH\(evidence.isEmpty ? ", " : " \(evidence)")do not trust results before it is explained"
    }

    /// Why the Bayes factor was used.
    static var fewUnitsText: String {
        "by the Bayes factor: fewer than \(Int(fewestExpected)) units are expected of some variant"
    }
}
