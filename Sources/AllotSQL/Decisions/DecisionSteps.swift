import AllotCore

/// The decision of one experiment: checks in order, of which the first that applies gives the reason.
struct DecisionSteps {
    struct Step {
        let condition: SQLCondition
        let reason: Reason
        let variant: String?
    }

    struct Draw {
        let bucket: BucketColumn
        /// All buckets in order, with the variants that own them.
        let parts: [(range: Range<Int>, variant: String?)]

        init(_ bucket: BucketColumn, of hash: UnitHash, _ variants: [VariantDefinition]) {
            self.bucket = bucket
            keepsBucket = hash.scheme.fitsDecision
            parts = DecisionSteps.parts(of: variants, bucketCount: bucket.count)
        }

        let keepsBucket: Bool

        /// The choice as checks, of which the last one always applies.
        var steps: [Step] {
            parts.map { range, variant in
                let isLast = range.upperBound == bucket.count
                return Step(
                    condition: isLast ? .always : bucket.isBelow(range.upperBound),
                    reason: variant == nil ? .unallocated : .split, variant: variant)
            }
        }
    }

    private(set) var steps: [Step] = []
    private(set) var draw: Draw?

    /// The checks, followed by the choice by bucket, which is written anew with each call.
    func allSteps() -> [Step] { steps + (draw?.steps ?? []) }
    var isDecided: Bool { if case .always = steps.last?.condition { true } else { false } }

    /// Adds a check, unless it never applies or an earlier check always applies.
    mutating func add(_ condition: SQLCondition, _ reason: Reason, variant: String? = nil) {
        if case .never = condition { return }
        guard !isDecided else { return }
        steps.append(Step(condition: condition, reason: reason, variant: variant))
    }

    /// Adds the choice by bucket, unless a check always applies.
    mutating func end(with draw: Draw) { if !isDecided { self.draw = draw } }

    /// Divides all buckets among the variants that own them, and no variant.
    fileprivate static func parts(
        of variants: [VariantDefinition], bucketCount: Int
    ) -> [(range: Range<Int>, variant: String?)] {
        let owned = variants.flatMap { variant in variant.buckets.map { ($0, variant.key) } }
            .filter { !$0.0.isEmpty }.sorted { $0.0.lowerBound < $1.0.lowerBound }
        var parts: [(range: Range<Int>, variant: String?)] = []
        func append(to end: Int, _ variant: String?) {
            var start = parts.last?.range.upperBound ?? 0
            guard start < end else { return }
            if let last = parts.last, last.variant == variant { start = parts.removeLast().range.lowerBound }
            parts.append((start..<end, variant))
        }
        for (range, variant) in owned {
            append(to: range.lowerBound, nil)
            append(to: range.upperBound, variant)
        }
        append(to: bucketCount, nil)
        return parts
    }
}
