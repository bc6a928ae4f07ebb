import AllotConfiguration
import AllotCore

/// The variants of a comparison and the share of the units that each of them should get.
public struct VariantShares: Sendable, Hashable {
    /// The variants' keys, each once.
    public let variants: [String]
    /// The variants' weights: whole numbers that are compared with each other, not all zero.
    public let weights: [UInt64]

    /// Takes variants and their weights.
    ///
    /// - Throws: when a variant is named twice, or fewer than two have a weight above 0, so that there is no ratio.
    public init(_ variants: [(key: String, weight: UInt64)]) throws(AnalysisError) {
        var seen: Set<UTF8Key> = []
        for variant in variants where !seen.insert(UTF8Key(variant.key)).inserted {
            throw AnalysisError("the variant \(QuotedText(variant.key)) is given twice; keep one")
        }
        guard variants.count < ExposureLedger.variantLimit else {
            throw AnalysisError("\(variants.count) variants are more than can be tested")
        }
        guard variants.count(where: { $0.weight > 0 }) > 1 else {
            throw AnalysisError(
                "\(variants.count == 1 ? "there is only one variant" : "fewer than two variants have a share"), "
                    + "so there is no ratio to test")
        }
        self.variants = variants.map(\.key)
        weights = variants.map(\.weight)
    }

    /// The variants of an experiment, by the buckets that they own.
    ///
    /// - Throws: when the experiment randomises nothing, or has no ratio.
    public init(_ experiment: Plan.Experiment) throws(AnalysisError) {
        if experiment.draw == nil { throw AnalysisError.notRandomised("it", "ratio to test") }
        try self.init(experiment.variants.map { ($0.key, UInt64($0.bucketCount)) })
    }

    /// The weights as numbers. Their ratios are exact, while shares are rounded.
    var exactWeights: [Double] { weights.map(Double.init) }

    /// The shares, which add up to 1.
    public var shares: [Double] {
        let total = weights.reduce(0) { $0 + Double($1) }
        return weights.map { Double($0) / total }
    }
}

/// Shares as text: `control=50%,green=50%`, `control=2,green=1`, or `1:1` for equal ones.
///
/// ```swift
/// let shares = try GivenShares("control=2,green=1")
/// let equal = try GivenShares("1:1")
/// ```
public enum GivenShares: Sendable, Hashable {
    /// Each variant with its share.
    case named(VariantShares)
    /// This number of variants of equal shares, whatever their names.
    case equal(count: Int)

    private static let form = "write each variant with its share, such as control=50%,green=50% or control=2,green=1"

    /// Reads shares. Numbers and percentages are 0 or more, with at most 6 decimals; only their ratio counts.
    /// Percentages are 100 together, but for the rounding of each.
    ///
    /// - Throws: if the text is not a list of shares, with the way to write one.
    public init(_ text: String) throws(AnalysisError) {
        guard text.contains("=") else {
            self = try Self.unnamed(text)
            return
        }
        var variants: [(key: String, weight: UInt64)] = []
        var texts: [Substring] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let equals = part.lastIndex(of: "="), equals != part.startIndex else {
                throw AnalysisError("\(QuotedText(String(part))) does not name a variant with a share; \(Self.form)")
            }
            texts.append(part[part.index(after: equals)...])
            variants.append((String(part[..<equals]), try Self.weight(texts[texts.count - 1])))
        }
        try Self.checkPercentages(texts, variants.map(\.weight))
        self = .named(try VariantShares(variants))
    }

    /// Takes shares, which are numbers from 0 with at most 6 decimals.
    package init(_ shares: [(variant: String, share: JSONNumber)]) throws(AnalysisError) {
        var variants: [(key: String, weight: UInt64)] = []
        for (variant, share) in shares { variants.append((variant, try Self.weight(share.text[...]))) }
        self = .named(try VariantShares(variants))
    }

    /// Shares without names mean something only if they are equal.
    private static func unnamed(_ text: String) throws(AnalysisError) -> GivenShares {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
        guard parts.count > 1 else { throw AnalysisError("\(QuotedText(text)) is not a list of shares; \(form)") }
        var weights: [UInt64] = []
        for part in parts { weights.append(try weight(part)) }
        try checkPercentages(parts, weights)
        guard weights.allSatisfy({ $0 == weights[0] && $0 > 0 }) else {
            throw AnalysisError("\(QuotedText(text)) does not say which variant gets which share; \(form)")
        }
        return .equal(count: weights.count)
    }

    /// Refuses percentages that are more than 100 together, or less by more than their rounding.
    private static func checkPercentages(_ texts: [Substring], _ weights: [UInt64]) throws(AnalysisError) {
        let percentages = texts.filter { $0.hasSuffix("%") }
        guard !percentages.isEmpty else { return }
        guard percentages.count == texts.count else {
            throw AnalysisError("some shares are percentages and some are weights; write all of them in one way")
        }
        let decimals = percentages.map { $0.dropLast().drop { $0 != "." }.count - 1 }.max() ?? 0
        let lastDigit = (0..<max(0, 6 - max(0, decimals))).reduce(1.0) { power, _ in power * 10 }
        let excess = weights.reduce(0) { $0 + Double($1) } - 100_000_000
        guard excess == 0 || (excess < 0 && -2 * excess < Double(texts.count) * lastDigit) else {
            throw AnalysisError(
                "the percentages add up to \(excess > 0 ? "more" : "less") than 100%; correct them, or write weights, "
                    + "such as control=2,green=1")
        }
    }

    private static func weight(_ text: Substring) throws(AnalysisError) -> UInt64 {
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

extension GivenShares {
    /// The shares as text that can be read again, in the smallest numbers; `nil` for many variants and for shares
    /// without names.
    var text: String? {
        guard case .named(let shares) = self, shares.variants.count <= Self.fewVariants else { return nil }
        let divisor = shares.weights.reduce(0 as UInt64) { first, second in
            var (larger, smaller) = (max(first, second), min(first, second))
            while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
            return larger
        }
        return zip(shares.variants, shares.weights).map { "\(PrintableText($0))=\($1 / max(divisor, 1))" }
            .joined(separator: ",")
    }

    private static let fewVariants = 6
}

/// The shares that a revision of a definition had: `1f0c2e5d9a7b4c31=control=2,green=1`.
///
/// ```swift
/// let shares = try RevisionShares("1f0c2e5d9a7b4c31=control=50%,green=50%")
/// ```
public struct RevisionShares: Sendable, Hashable {
    /// The revision, as assignments and exposures name it.
    public let revision: String
    /// The expected ratio.
    public let shares: GivenShares

    package init(revision: String, shares: GivenShares) { (self.revision, self.shares) = (revision, shares) }

    /// Reads a revision and its shares, which ``GivenShares`` describes.
    ///
    /// - Throws: if the text does not name a revision, or its shares are not a list of shares.
    public init(_ text: String) throws(AnalysisError) {
        guard let (revision, shares) = text.namedValue else {
            throw AnalysisError(
                "\(QuotedText(text)) does not name a revision and its shares; write them like "
                    + "1f0c2e5d9a7b4c31=control=50%,green=50%")
        }
        self.revision = revision
        self.shares = try GivenShares(shares)
    }
}
