import AllotConfiguration
import AllotReports
import AllotStatistics
import RealModule

/// The test of how many units each variant has against the shares that they should have.
///
/// It is Pearson's chi-square test where that is a good approximation: where every variant is expected to have 5 units
/// or more, and far out in the tail, below a p-value of 0.01, 100 or more (1,000 with two variants). Below, it is the
/// exact multinomial test, which with two variants is the exact binomial test; or, where that would take too long, the
/// likelihood-ratio test if its p-value is larger than Pearson's.
///
/// ```swift
/// if let test = RatioTest(counts: [44_700, 45_489], shares: [0.5, 0.5]) {
///     print(test.pValue)  // 0.0086
/// }
/// ```
public struct RatioTest: Sendable, Hashable {
    /// The way in which the p-value was found.
    public typealias Method = CountsTestMethod

    /// Pearson's statistic with its p-value and standardised residuals.
    public let chiSquare: ChiSquare
    /// The units that each variant is expected to have.
    public let expected: [Double]
    /// The test of ``pValue``.
    public let method: Method
    /// The probability of counts at least as far from the shares, if the shares are true.
    public let pValue: PValue

    /// The p-value below which a sample ratio mismatch is detected, as is usual in the field.
    public static let threshold = 0.001
    /// A ratio with a p-value below this is unusual, although no mismatch is detected.
    static let unusual = PValue(0.01)
    /// The fewest expected units of each variant for which the chi-square test is trusted.
    static let fewestExpected = 5.0
    /// Below this p-value it is trusted with more of them only, as its p-values are too small there.
    static let notable = PValue(0.01)
    /// The fewest of each of two variants then.
    private static let plenty = 1000.0
    /// The fewest of each of three or more.
    private static let many = 100.0

    /// Tests counts against shares; variants without a share are left out.
    ///
    /// - Parameters:
    ///   - counts: the units of each variant.
    ///   - shares: as many, 0 or more.
    /// - Returns: `nil` when nothing was counted, or fewer than two variants have a share.
    public init?(counts: [Int], shares: [Double]) { self.init(counts: counts, shares: shares, isQuick: false) }

    /// Tests counts against shares; variants without a share are left out.
    /// - Parameter isQuick: whether the exact test of three or more variants, which takes up to a second, is used only
    ///   where there is no other.
    init?(counts: [Int], shares: [Double], isQuick: Bool) {
        let possible = shares.indices.filter { shares[$0] > 0 }
        let total = possible.reduce(0) { $0 + Double(counts[$1]) }
        let totalShare = possible.reduce(0) { $0 + shares[$1] }
        let (possibleCounts, possibleShares) = (possible.map { counts[$0] }, possible.map { shares[$0] })
        guard let test = try? ChiSquare(counts: possibleCounts, shares: possibleShares) else { return nil }
        chiSquare = test
        expected = shares.map { total * $0 / totalShare }
        let cells = possible.map { [expected] in (observed: counts[$0], expected: expected[$0]) }
        let least = cells.map(\.expected).min() ?? 0
        let fewest = test.pValue < Self.notable ? Self.fewestInTail(variants: cells.count) : Self.fewestExpected
        // Beyond 4 trillion units the logarithms of probabilities lose their digits.
        if least >= fewest || total >= 0x1p42 {
            (method, pValue) = (.chiSquare, test.pValue)
        } else if cells.count == 2 || !isQuick || least < Self.fewestExpected,
            let exact = Self.exact(possibleCounts, possibleShares, least: least)
        {
            if exact.method == .partlyExact {
                // Among the others the approximation may be too small.
                pValue = CountTest.cautious(exact.pValue, degreesOfFreedom: test.degreesOfFreedom, cells: cells)
                method = pValue > exact.pValue ? .likelihoodRatio : .partlyExact
            } else {
                (method, pValue) = (exact.method, exact.pValue)
            }
        } else {
            pValue = CountTest.cautious(test.pValue, degreesOfFreedom: test.degreesOfFreedom, cells: cells)
            method = pValue > test.pValue ? .likelihoodRatio : .chiSquare
        }
    }

    private static func fewestInTail(variants: Int) -> Double { variants == 2 ? plenty : many }

    /// The exact test; `nil` if it would take too long and another test will do.
    private static func exact(_ counts: [Int], _ shares: [Double], least: Double) -> MultinomialTest? {
        if let test = try? MultinomialTest(enumerating: counts, shares: shares, few: many) { return test }
        return least < fewestExpected ? try? MultinomialTest(counts: counts, shares: shares) : nil
    }
}

extension RatioTest {
    /// The deviation of a single variant's share from the expected one that would be found with a given probability.
    ///
    /// It is that of the variant whose share is the hardest to tell; the others are found when they are off by less.
    /// Returns `nil` if there are too few units to find any deviation, or too few of some variant to say which.
    func detectableDeviation(threshold: Double = Self.threshold, power: Double = 0.8) -> Double? {
        let total = expected.reduce(0, +)
        let possible = expected.filter { $0 > 0 }
        guard power > threshold, total > 0, possible.allSatisfy({ $0 >= Self.fewestExpected }) else { return nil }
        let noncentrality = NoncentralChiSquare.noncentrality(
            power: power, level: threshold, degreesOfFreedom: Double(chiSquare.degreesOfFreedom))
        let beyond = Normal.quantile(power)
        let limit = Double.sqrt(noncentrality) - beyond
        let deviations = possible.map { Self.deviation(of: $0 / total, units: total, limit: limit, beyond: beyond) }
        guard let deviation = deviations.max() else { return nil }
        return possible.allSatisfy { deviation < max($0 / total, 1 - $0 / total) } ? deviation : nil
    }

    /// The deviation of a share towards a half, where it varies more than in the other direction, at which the limit of
    /// the test is a number of standard deviations away. Both numbers are in standard deviations of the expected share
    /// and of the share that is off.
    private static func deviation(of share: Double, units: Double, limit: Double, beyond: Double) -> Double {
        let share = min(share, 1 - share)
        let variance = share * (1 - share)
        let start = limit * .sqrt(variance / units)
        // Not even if all units were of one variant.
        guard start < 1 - share else { return .infinity }
        // d = start + beyond √((share + d) (1 - share - d) / units), squared.
        let square = beyond * beyond / units
        let (a, b) = (1 + square, start + square * (0.5 - share))
        let root = Double.sqrt(max(0, b * b - a * (start * start - square * variance)))
        return (b + (beyond < 0 ? -root : root)) / a
    }

    /// Reads a p-value below which a mismatch is detected: a number above 0 and below 1.
    package static func threshold(_ text: String) throws(AnalysisError) -> Double {
        guard let value = Double(text), value > 0, value < 1 else {
            throw AnalysisError("a p-value lies between 0 and 1, such as 0.001")
        }
        return value
    }

    /// The standardised residual of a variant, which has the size of a standard normal number if the shares are true.
    /// Returns `nil` for one without a share.
    package func residual(_ variant: Int) -> Double? {
        let possible = expected.indices.filter { expected[$0] > 0 }
        return possible.firstIndex(of: variant).map { chiSquare.residuals[$0] }
    }

    var isUnusual: Bool { pValue < Self.unusual }

    /// The verdict where no mismatch is detected, by the test which decides.
    static func calmText(
        _ pValue: PValue, unusual: PValue = Self.unusual, threshold: String, _ sensitivity: @autoclosure () -> String
    ) -> String {
        pValue < unusual
            ? "no sample ratio mismatch detected, but the ratio is unusual (p = \(pValue); the threshold is "
                + "\(threshold))"
            : "no sign of a sample ratio mismatch (p = \(pValue)): \(sensitivity())"
    }

    /// The level of a test as text, with how it follows from a threshold that several tests share.
    static func text(ofLevel level: Double, sharing threshold: Double) -> String {
        guard level < threshold else { return NumberFormat.shortest(level) }
        let tests = Int((threshold / level).rounded())
        return
            "\(NumberFormat.significant(level, 2)): \(NumberFormat.shortest(threshold)) for \(tests) tests together"
    }

    /// The warning of a mismatch, or of what its name says.
    static func mismatchText(_ evidence: String = "", name: String = "SAMPLE RATIO MISMATCH") -> String {
        "\(name)\(evidence.isEmpty ? ", " : " \(evidence)")do not trust results before it is explained"
    }

    /// The smallest deviation that could have been found, so that few units are not taken for a proof.
    func sensitivityText(threshold: Double) -> String {
        guard let deviation = detectableDeviation(threshold: threshold) else {
            return expected.contains { $0 > 0 && $0 < Self.fewestExpected }
                ? "too few units are expected of some variant to say which deviation would be found"
                : "these are too few units to find one"
        }
        return "a share off by \(NumberFormat.significant(deviation * 100, 2)) percentage points is found with a "
            + "probability of 80%"
    }

    var statisticText: String {
        if let methodText { return "p = \(pValue) \(methodText)" }
        let freedom = counted(chiSquare.degreesOfFreedom, "degree") + " of freedom"
        return "chi-square \(NumberFormat.fixed(chiSquare.statistic, 2)), \(freedom), p = \(pValue)"
    }

    /// The test that was used and its reason, where it is not the chi-square test.
    var methodText: String? {
        let name =
            switch method {
            case .chiSquare: ""
            case .exact: "the exact \(chiSquare.degreesOfFreedom == 1 ? "binomial" : "multinomial") test"
            case .partlyExact: "the exact multinomial test of small variants and the chi-square test of the others"
            case .monteCarlo(let draws): "the multinomial test with \(draws) random draws (Monte Carlo)"
            case .bound: "an upper bound of the multinomial test"
            case .likelihoodRatio: "the likelihood-ratio test"
            }
        let isTail = expected.allSatisfy { $0 == 0 || $0 >= Self.fewestExpected }
        let fewest = isTail ? Self.fewestInTail(variants: chiSquare.degreesOfFreedom + 1) : Self.fewestExpected
        return name.isEmpty ? nil : "by \(name), as fewer than \(Int(fewest)) units are expected of some variant"
    }
}

extension RatioTest.Method {
    var name: String {
        switch self {
        case .chiSquare: "chi-square"
        case .exact: "exact"
        case .partlyExact: "partly-exact"
        case .monteCarlo: "monte-carlo"
        case .bound: "bound"
        case .likelihoodRatio: "likelihood-ratio"
        }
    }

    var draws: Int? { if case .monteCarlo(let draws) = self { draws } else { nil } }
}
