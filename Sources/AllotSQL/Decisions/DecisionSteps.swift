import Allot

/// The decision of one experiment: checks in order, of which the first that applies gives the reason.
struct DecisionSteps {
    /// A check.
    struct Step {
        let condition: SQLCondition
        let reason: Reason
        /// The key of the assigned variant; `nil` for none.
        let variant: String?
    }

    /// The second buckets from the end of the previous part up to a bound, which belong to a variant or to none.
    struct Part {
        let upperBound: Int
        let variant: String?
    }

    /// The choice of a variant by the second bucket, if no check applies.
    struct Draw {
        let column: String
        /// All buckets up to 1,000,000, in order.
        let parts: [Part]
    }

    private(set) var steps: [Step] = []
    private(set) var draw: Draw?

    /// Whether the last check always applies.
    var isDecided: Bool {
        if case .always = steps.last?.condition { true } else { false }
    }

    /// Adds a check, unless it never applies or an earlier check always applies.
    mutating func add(_ condition: SQLCondition, _ reason: Reason, variant: String? = nil) {
        if case .never = condition { return }
        guard !isDecided else { return }
        steps.append(Step(condition: condition, reason: reason, variant: variant))
    }

    /// Adds the choice by bucket, unless a check always applies.
    mutating func end(with draw: Draw) {
        if !isDecided { self.draw = draw }
    }

    /// Divides all buckets among the variants that own them, and no variant.
    static func parts(of variants: [VariantDefinition]) -> [Part] {
        let owned = variants.flatMap { variant in variant.buckets.map { ($0, variant.key) } }
            .filter { !$0.0.isEmpty }.sorted { $0.0.lowerBound < $1.0.lowerBound }
        var parts: [Part] = []
        func append(_ upperBound: Int, _ variant: String?) {
            if let last = parts.last, last.variant == variant { parts.removeLast() }
            parts.append(Part(upperBound: upperBound, variant: variant))
        }
        var end = 0
        for (range, variant) in owned {
            if range.lowerBound > end { append(range.lowerBound, nil) }
            append(range.upperBound, variant)
            end = range.upperBound
        }
        if end < Bucketing.bucketCount { append(Bucketing.bucketCount, nil) }
        return parts
    }
}
