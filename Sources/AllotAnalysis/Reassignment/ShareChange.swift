import AllotConfiguration
import AllotCore

/// A variant and the share that it is to get.
public struct VariantShare: Sendable, Hashable {
    /// The key of the variant.
    public let variant: String
    /// The share in buckets, of 1,000,000.
    public let buckets: Int

    /// A share of a variant.
    public init(_ variant: String, buckets: Int) { (self.variant, self.buckets) = (variant, buckets) }
}

/// New shares for the variants of an experiment, with the least possible reassignment.
///
/// ```swift
/// import Allot
///
/// func moreGreen(_ experiment: Plan.Experiment) throws -> [[Range<Int>]] {
///     try ShareChange(of: experiment).reweighted(to: [VariantShare("green", buckets: 800_000)])
/// }
/// ```
public struct ShareChange: Sendable {
    private let key: String
    private let variants: [String]
    private let hash: UnitHash
    private let owned: [BucketSet]

    /// The meaning of a change of shares for results: pooled over a change, a comparison is confounded with time.
    package static let advice =
        "do not pool data from before and after: analyse by revision, or restart with a new salt"

    /// A change of an experiment.
    ///
    /// - Throws: if it randomises nothing, so that its variant has no share, or if its windows are balanced.
    public init(of experiment: Plan.Experiment) throws(AnalysisError) {
        guard let draw = experiment.draw else { throw .notRandomised(experiment.key, "share to change") }
        guard draw.period?.isBalanced != true else {
            throw AnalysisError(
                "\(experiment.key) has a balanced period, which gives each unit both of two variants of equal weight; "
                    + "remove balanced to change their shares")
        }
        key = experiment.key
        hash = draw.hash
        variants = experiment.variants.map(\.key)
        owned = experiment.variants.map { BucketSet($0.buckets) }
    }

    /// The buckets of each variant, with some variants at new shares and the others as they are.
    ///
    /// - Parameter shares: The new shares.
    /// - Parameter unallocated: how many buckets no variant gets; `nil` for as many as now, or none.
    /// - Throws: if the shares do not come to 100%, or name a variant that does not exist, or one twice; with another
    ///   system's hash also if a share is not a whole number of its buckets.
    public func reweighted(to shares: [VariantShare], unallocated: Int? = nil) throws(AnalysisError) -> [[Range<Int>]] {
        let counts = try shares.map { share throws(AnalysisError) in
            (index: try index(of: share.variant), count: try hash.buckets(ofShare: share.buckets))
        }
        return try reweighted(counts, unallocated)
    }

    /// The buckets of each variant, with some variants at new shares and the others as they are. Shares without names
    /// are those of all variants; weights divide what the other variants and the unallocated share leave.
    package func reweighted(
        to shares: WrittenShares, unallocated: Int? = nil
    ) throws(AnalysisError) -> [[Range<Int>]] {
        let names = shares.names ?? variants
        guard names.count == shares.weights.count else {
            throw AnalysisError(
                "\(key) has \(variants.count) variants, and \(shares.weights.count) shares are given; give one for "
                    + "each, or name their variants, such as \(variants[0])=20%")
        }
        guard !shares.arePercentages else {
            let named = try zip(names, shares.texts).map { name, text throws(AnalysisError) in
                guard let buckets = Percentage.parse(text)
                else { throw AnalysisError("\(QuotedText(text)) is not a valid share: \(Percentage.fix(for: text))") }
                return VariantShare(name, buckets: buckets)
            }
            return try reweighted(to: named, unallocated: unallocated)
        }
        guard names.count > 1 else {
            throw AnalysisError(
                "a weight needs another one for a ratio; for a share of all units "
                    + Percentage.fix(for: shares.texts[0], form: "write a percentage, such as \(names[0])=20%"))
        }
        guard shares.weights.reduce(0, { $0 + UInt128($1) }) <= UInt128(Int.max)
        else { throw AnalysisError("the weights are too large together; write smaller numbers") }
        let indices = try names.map(index)
        let others = variants.indices.filter { !indices.contains($0) }.reduce(0) { $0 + owned[$1].count }
        let left = try unallocated.map(hash.buckets) ?? before
        let rest = max(0, hash.resolution - others - left)
        guard let counts = Reweighting.proportional(rest, to: shares.weights.map(Int.init))
        else { throw AnalysisError("the weights are all 0; give one variant a weight above 0") }
        return try reweighted(zip(indices, counts).map { ($0, $1) }, unallocated)
    }

    private var before: Int { hash.resolution - owned.reduce(0) { $0 + $1.count } }

    private func reweighted(
        _ new: [(index: Int, count: Int)], _ unallocated: Int?
    ) throws(AnalysisError) -> [[Range<Int>]] {
        var counts = owned.map(\.count)
        var named: Set<Int> = []
        for (index, count) in new {
            guard named.insert(index).inserted
            else { throw AnalysisError("\(variants[index]) is given twice; give it once") }
            counts[index] = count
        }
        let total = counts.reduce(0, +)
        let left = try unallocated.map(hash.buckets) ?? (total + before == hash.resolution ? before : 0)
        guard total + left == hash.resolution else { throw AnalysisError(mismatch(counts, named, left)) }
        guard total > 0 else {
            throw AnalysisError("no variant would get a unit; to end the enrolment set status: paused, or traffic: 0%")
        }
        return Reweighting(owned, of: hash.resolution, to: counts).owned.map(\.ranges)
    }

    /// The buckets of each variant, with one that owns some given up.
    package func closing(_ variant: String) throws(AnalysisError) -> [[Range<Int>]] {
        let index = try index(of: variant)
        guard !owned[index].isEmpty else { throw AnalysisError("\(variant) owns no bucket, so it is closed already") }
        guard let result = Reweighting(owned, of: hash.resolution, closing: index) else {
            throw AnalysisError(
                "no other variant of \(key) owns a bucket, so no variant can take the units of \(variant); "
                    + "give another variant a share first, or set status: paused")
        }
        return result.owned.map(\.ranges)
    }

    /// The buckets of each variant, with one more at the end.
    package func adding(_ share: VariantShare) throws(AnalysisError) -> [[Range<Int>]] {
        guard !variants.contains(share.variant) else {
            throw AnalysisError(
                "\(key) has a variant \(share.variant) already; give it a new share with \(share.variant)=…")
        }
        guard Salt.isValid(share.variant) else {
            throw AnalysisError("\(QuotedText(share.variant)) is not a valid key of a variant; a key has \(Salt.form)")
        }
        let count = try hash.buckets(ofShare: share.buckets)
        return Reweighting(owned, of: hash.resolution, adding: count).owned.map(\.ranges)
    }

    private func index(of variant: String) throws(AnalysisError) -> Int {
        guard let index = variants.firstIndex(of: variant) else {
            throw AnalysisError(
                "\(key) has no variant \(QuotedText(variant)); it has \(variants.joined(separator: ", "))")
        }
        return index
    }

    private func mismatch(_ counts: [Int], _ named: Set<Int>, _ left: Int) -> String {
        let kept = variants.indices.filter { !named.contains($0) && counts[$0] > 0 }
        let parts =
            kept.map { "\(variants[$0]) keeps \(hash.percentage(of: counts[$0]))" }
            + (left > 0 ? ["\(hash.percentage(of: left)) for no variant"] : [])
        let total = counts.reduce(0, +) + left
        let rest = hash.percentage(of: max(0, hash.resolution - total + left))
        let isPart = left < total && total < hash.resolution
        let hint = isPart ? "; or leave \(rest) unallocated" : ""
        let note = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "the shares come to \(hash.percentage(of: total))\(note) and have to come to 100%\(hint)"
    }
}
