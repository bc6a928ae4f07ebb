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

    /// Reads shares. Numbers and percentages are 0 or more, with at most 6 decimals; only their ratio counts.
    /// Percentages are 100 together, but for the rounding of each.
    ///
    /// - Throws: if the text is not a list of shares, with the way to write one.
    public init(_ text: String) throws(AnalysisError) {
        let written = try WrittenShares(text)
        try written.checkTotal()
        if let names = written.names {
            self = .named(try VariantShares(zip(names, written.weights).map { ($0, $1) }))
            return
        }
        // Shares without names mean something only if they are equal.
        guard written.weights.allSatisfy({ $0 == written.weights[0] && $0 > 0 }) else {
            throw AnalysisError(
                "\(QuotedText(text)) does not say which variant gets which share; \(WrittenShares.form)")
        }
        self = .equal(count: written.weights.count)
    }

    /// Takes shares, which are numbers from 0 with at most 6 decimals.
    package init(_ shares: [(variant: String, share: JSONNumber)]) throws(AnalysisError) {
        var variants: [(key: String, weight: UInt64)] = []
        for (variant, share) in shares { variants.append((variant, try WrittenShares.weight(share.text[...]))) }
        self = .named(try VariantShares(variants))
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
