/// Everything that was decided for one subject, for answers in several forms.
package struct SubjectDecisions: Sendable {
    /// By the index of the experiment in the plan.
    package let decisions: [Decision]
    /// The indices of the holdouts that hold the subject out.
    package let holdouts: [Int]
    /// The places of the plan's variants in the order of their keys.
    let variantOrder: VariantOrder

    /// 16 hexadecimal digits of the SHA-256 of the subject's variants: with the plan's revision they identify the
    /// answer, on any machine. A revision says nothing of the order in which an experiment lists its variants, so they
    /// count in the order of their keys.
    package var fingerprint: String {
        // Two words for each assigned variant: experiment and variant, reason and bucket. Then the holdouts.
        var words: [UInt64] = []
        words.reserveCapacity(2 * decisions.count + holdouts.count + 1)
        for experiment in decisions.indices {
            let decision = decisions[experiment]
            guard let variant = decision.variant else { continue }
            let place = variantOrder.place(of: variant, in: experiment)
            words.append((UInt64(experiment) << 32 | UInt64(place)).bigEndian)
            let bucket = UInt32(truncatingIfNeeded: decision.bucket ?? -1)
            words.append((UInt64(decision.reason.rawValue) << 32 | UInt64(bucket)).bigEndian)
        }
        words.append(.max)
        for holdout in holdouts { words.append(UInt64(holdout).bigEndian) }
        return words.withUnsafeBytes { SHA256.revision(of: $0.bindMemory(to: UInt8.self).span) }
    }
}

extension Plan {
    /// Decides every experiment for a subject.
    package func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        var evaluator = Evaluator(plan: self, at: instant)
        return evaluator.decide(PreparedSubject(subject, for: self), at: instant)
    }
}

extension Evaluator {
    /// Decides every experiment, and which holdouts hold out the subject.
    package mutating func decide(_ subject: borrowing PreparedSubject, at instant: Instant) -> SubjectDecisions {
        evaluate(subject, at: instant)
        return SubjectDecisions(
            decisions: decisions, holdouts: holdouts(subject.values.span, subject.bytes.span),
            variantOrder: plan.variantOrder)
    }
}
