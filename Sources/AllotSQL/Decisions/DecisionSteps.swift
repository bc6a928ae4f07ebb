import Allot

/// How one experiment is decided: checks in the order of the design, the first that applies gives the reason.
struct DecisionSteps {
    /// A check.
    struct Step {
        let condition: SQLCondition
        let reason: Reason
        /// The key of the variant that is held, `nil` for none.
        let variant: String?
    }

    /// Second buckets below a number, and not below those of the part before, belong to a variant or to nobody.
    struct Part {
        let upperBound: Int
        let variant: String?
    }

    /// What is left when no check applies: a draw by the second bucket.
    struct Draw {
        let column: String
        /// In the order of buckets, up to 1,000,000.
        let parts: [Part]
    }

    private(set) var steps: [Step] = []
    private(set) var draw: Draw?

    /// Whether a check was added that always applies.
    var isDecided: Bool {
        if case .always = steps.last?.condition { true } else { false }
    }

    /// Adds a check, unless it cannot apply or one before it always does.
    mutating func add(_ condition: SQLCondition, _ reason: Reason, variant: String? = nil) {
        if case .never = condition { return }
        guard !isDecided else { return }
        steps.append(Step(condition: condition, reason: reason, variant: variant))
    }

    /// Ends with a draw, unless a check always applies.
    mutating func end(with draw: Draw) {
        if !isDecided { self.draw = draw }
    }

    /// The parts of the buckets that variants own, and those that nobody does.
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
