import AllotStatistics
import Foundation

/// The comparison as a table in Markdown.
public struct ComparisonTable: Sendable {
    let settings: ComparisonSettings

    /// Creates the table of a comparison.
    public init(_ settings: ComparisonSettings) {
        self.settings = settings
    }

    /// The pair of salts with a column of its own.
    private static let pair = ("exp-1", "exp-9")

    /// The column heads.
    public var head: String {
        let heads = [
            "system", "buckets", "mean p of 50/50", "smallest p of 50/50", "smallest p of uniformity",
            "φ of `\(Self.pair.0)`, `\(Self.pair.1)`", "largest φ of any pair", "A/A alarms at 5 / 1 / 0.1 %",
            "KS p", "ns", "verdict",
        ]
        return Self.row(heads) + "\n" + Self.row(["---"] + heads.dropFirst(1).dropLast().map { _ in "---:" } + ["---"])
    }

    /// The row of a system.
    ///
    /// - Parameter nanoseconds: the time of one hash.
    public func row(_ summary: SystemSummary, nanoseconds: Double) -> String {
        Self.row([
            summary.name, Self.grouped(summary.bucketCount), Self.text(summary.meanSharePValue, 3),
            Self.text(summary.shares.smallestAdjusted), Self.text(summary.uniformity.smallestAdjusted),
            summary.dependence(Self.pair.0, Self.pair.1, on: .uuid).map { Self.text($0.phi, 3) } ?? "–",
            summary.strongest.map { "\(Self.text($0.phi, 3)): `\($0.left)`, `\($0.right)`, \($0.shape)" } ?? "–",
            summary.falsePositives.map { Self.text($0.value * 100, 2) }.joined(separator: " / "),
            Self.text(summary.trialUniformity.smallestAdjusted), Self.text(nanoseconds, 0), Self.verdict(summary),
        ])
    }

    /// Whether a system passes, and if not, which tests fail how often.
    static func verdict(_ summary: SystemSummary) -> String {
        let failures = summary.families.filter { $0.failed > 0 }.map { family in
            "\(family.failure) (\(grouped(family.failed)) of \(grouped(family.count)))"
        }
        return failures.isEmpty ? "passes" : "**fails**: " + failures.joined(separator: "; ")
    }

    static func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }

    static func text(_ number: Double, _ decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", abs(number))
        return number < 0 && text.contains { ("1"..."9").contains($0) } ? "−" + text : text
    }

    /// A p-value with the digits that matter here: some are too small to be read.
    static func text(_ pValue: PValue?) -> String {
        guard let pValue else { return "–" }
        if pValue >= PValue(0.9995) { return "1" }
        if pValue >= PValue(0.001) { return text(pValue.value, 3) }
        return pValue < PValue(logarithm: -690) ? "< 1e-299" : "\(pValue)"
    }

    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.map { index in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digits[index])" : "\(digits[index])"
        }.joined()
    }
}
