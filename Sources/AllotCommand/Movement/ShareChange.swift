import Allot
import AllotAnalysis

/// New shares for the variants of an experiment, as the command line asks for them.
struct ShareChange {
    private let experiment: ExperimentDefinition
    private let owned: [BucketSet]

    init(_ experiment: ExperimentDefinition) {
        self.experiment = experiment
        owned = experiment.variants.map { BucketSet($0.buckets) }
    }

    /// The buckets with some variants at new shares and the others as they are.
    func reweighted(to shares: [VariantShare], unallocated: Int?) throws -> [BucketSet] {
        var counts = owned.map(\.count)
        let before = Bucketing.bucketCount - counts.reduce(0, +)
        var named: Set<Int> = []
        for share in shares {
            let index = try index(of: share.variant)
            guard named.insert(index).inserted else {
                throw CommandFailure("\(share.variant) is given twice; give it once")
            }
            counts[index] = share.buckets
        }
        let total = counts.reduce(0, +)
        let left = unallocated ?? (total + before == Bucketing.bucketCount ? before : 0)
        guard total + left == Bucketing.bucketCount else { throw CommandFailure(mismatch(counts, named, left)) }
        guard total > 0 else {
            throw CommandFailure(
                "no variant would get anybody; to end the enrolment set status: paused, or traffic: 0%")
        }
        return Reweighting(owned, to: counts).owned
    }

    /// The buckets with one variant given up.
    func closing(_ variant: String) throws -> [BucketSet] {
        let index = try index(of: variant)
        guard !owned[index].isEmpty else { throw CommandFailure("\(variant) owns no bucket, so it is closed already") }
        guard let result = Reweighting(owned, closing: index) else {
            throw CommandFailure(
                "no other variant of \(experiment.key) owns a bucket, so there is nobody to take the units of \(variant); "
                    + "give another variant a share first, or set status: paused")
        }
        return result.owned
    }

    /// The buckets with one more variant.
    func adding(_ share: VariantShare) throws -> [BucketSet] {
        guard !experiment.variants.contains(where: { $0.key == share.variant }) else {
            throw CommandFailure(
                "\(experiment.key) has a variant \(share.variant) already; give it a new share with \(share.variant)=…")
        }
        guard Salt.isValid(share.variant) else {
            throw CommandFailure(
                "\"\(share.variant)\" is no key of a variant; it has 1 to 64 letters, digits, \".\", \"_\" and \"-\", "
                    + "and begins with a letter or digit")
        }
        return Reweighting(owned, adding: share.buckets).owned
    }

    private func index(of variant: String) throws -> Int {
        let keys = experiment.variants.map(\.key)
        guard let index = keys.firstIndex(of: variant) else {
            throw CommandFailure(
                "\(experiment.key) has no variant \"\(variant)\"; it has \(keys.joined(separator: ", "))")
        }
        return index
    }

    private func mismatch(_ counts: [Int], _ named: Set<Int>, _ left: Int) -> String {
        let kept = experiment.variants.indices.filter { !named.contains($0) && counts[$0] > 0 }
        let parts =
            kept.map { "\(experiment.variants[$0].key) keeps \(Percentage.text(ofBuckets: counts[$0]))" }
            + (left > 0 ? ["\(Percentage.text(ofBuckets: left)) for nobody"] : [])
        let total = counts.reduce(0, +) + left
        let text = Percentage.text(ofBuckets: total)
        let hint =
            total < Bucketing.bucketCount
            ? "; leave the rest to nobody with --unallocated \(Percentage.text(ofBuckets: Bucketing.bucketCount - total + left))"
            : ""
        let note = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "the shares come to \(text)\(note) and have to come to 100%\(hint)"
    }
}
