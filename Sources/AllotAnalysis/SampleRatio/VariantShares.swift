import Allot
import AllotConfiguration

/// The variants of a comparison and the share of the units that each of them should get.
public struct VariantShares: Sendable, Hashable {
    /// The variants' keys, each once.
    public let variants: [String]
    /// The variants' weights: whole numbers that are compared with each other, not all zero.
    public let weights: [UInt64]

    /// Takes variants and their weights.
    ///
    /// - Throws: when a variant is named twice, or fewer than two have a weight above 0, so that there is no ratio.
    public init(_ variants: [(key: String, weight: UInt64)]) throws(VariantSharesError) {
        var seen: Set<UTF8Key> = []
        for variant in variants where !seen.insert(UTF8Key(variant.key)).inserted {
            throw VariantSharesError("the variant \(QuotedText(variant.key)) is given twice; keep one")
        }
        guard variants.count < UnitLedger.variantLimit else {
            throw VariantSharesError("\(variants.count) variants are more than can be told apart")
        }
        guard variants.count(where: { $0.weight > 0 }) > 1 else {
            throw VariantSharesError(
                "\(variants.count == 1 ? "there is only one variant" : "fewer than two variants have a share"), "
                    + "so there is no ratio to test")
        }
        self.variants = variants.map(\.key)
        weights = variants.map(\.weight)
    }

    /// The variants of an experiment, by the buckets that they own.
    public init(_ experiment: Plan.Experiment) throws(VariantSharesError) {
        try self.init(experiment.variants.map { ($0.key, UInt64($0.bucketCount)) })
    }

    /// The weights as numbers, whose ratios are exact where the shares' are rounded.
    var exactWeights: [Double] {
        weights.map(Double.init)
    }

    /// The shares, which add up to 1.
    public var shares: [Double] {
        let total = weights.reduce(0) { $0 + Double($1) }
        return weights.map { Double($0) / total }
    }
}

/// Why shares cannot be tested against.
public struct VariantSharesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to mend it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
