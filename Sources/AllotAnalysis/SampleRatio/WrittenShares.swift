import AllotConfiguration
import AllotCore

/// Shares as people write them, with names or in the order of the variants: `control=50%,green=50%`,
/// `control=2,green=1`, `80,10,10` or `1:1`.
package struct WrittenShares: Sendable, Hashable {
    /// The variants, each once; `nil` if the text names none.
    package let names: [String]?
    /// The numbers as they are written, with or without a percent sign.
    let texts: [String]
    /// Each number × 10⁶, without its percent sign.
    let weights: [UInt64]
    /// Whether all of them have a percent sign; otherwise none has.
    let arePercentages: Bool

    static let form = "write each variant with its share, such as control=50%,green=50% or control=2,green=1"

    /// Reads shares. Numbers are 0 or more, with at most 6 decimals.
    ///
    /// - Throws: if the text is not a list of shares, with the way to write one.
    package init(_ text: String) throws(AnalysisError) {
        let isNamed = text.contains("=")
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "," || !isNamed && ($0 == ":" || $0 == "/") }
        guard isNamed || parts.count > 1 else {
            throw AnalysisError("\(QuotedText(text)) is not a list of shares; \(Self.form)")
        }
        var names: [String] = []
        var seen: Set<UTF8Key> = []
        var texts: [String] = []
        var weights: [UInt64] = []
        for var part in parts {
            if isNamed {
                guard let equals = part.lastIndex(of: "="), equals != part.startIndex else {
                    throw AnalysisError(
                        "\(QuotedText(String(part))) does not name a variant with a share; \(Self.form)")
                }
                names.append(String(part[..<equals]))
                guard seen.insert(UTF8Key(names[names.count - 1])).inserted else {
                    throw AnalysisError("the variant \(QuotedText(names[names.count - 1])) is given twice; keep one")
                }
                part = part[part.index(after: equals)...]
            }
            texts.append(String(part))
            weights.append(try Self.weight(part))
        }
        let percentages = texts.count { $0.hasSuffix("%") }
        guard percentages == 0 || percentages == texts.count else {
            throw AnalysisError("some shares are percentages and some are weights; write all of them in one way")
        }
        self.names = isNamed ? names : nil
        (self.texts, self.weights, arePercentages) = (texts, weights, percentages > 0)
    }

    /// Refuses percentages that are more than 100 together, or less by more than their rounding.
    func checkTotal() throws(AnalysisError) {
        guard arePercentages else { return }
        let decimals = texts.map { $0.dropLast().drop { $0 != "." }.count - 1 }.max() ?? 0
        let lastDigit = (0..<max(0, 6 - max(0, decimals))).reduce(1.0) { power, _ in power * 10 }
        let excess = weights.reduce(0) { $0 + Double($1) } - 100_000_000
        guard excess == 0 || (excess < 0 && -2 * excess < Double(texts.count) * lastDigit) else {
            throw AnalysisError(
                "the percentages add up to \(excess > 0 ? "more" : "less") than 100%; correct them, or write weights, "
                    + "such as control=2,green=1")
        }
    }

    static func weight(_ text: Substring) throws(AnalysisError) -> UInt64 {
        let digits = text.hasSuffix("%") ? text.dropLast() : text
        guard let number = JSONNumber(String(digits)),
            let weight = number.decimal.scaled(byPowerOfTen: 6, limit: Weights.maximumMillionths)
        else {
            throw AnalysisError(
                "\(QuotedText(String(text))) is not a share; a share is a number from 0 to "
                    + "\(Weights.maximumMillionths / 1_000_000) with at most 6 decimals, with or without \"%\"")
        }
        return weight
    }
}
