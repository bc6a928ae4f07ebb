/// Everything that was decided for one subject, for answers in several forms.
package struct SubjectDecisions: Sendable {
    package let decisions: [Decision]
    package let holdouts: [Int]
    let plan: Plan
    let instant: Instant

    /// 16 hexadecimal digits of the SHA-256 of the subject's variants: with the plan's revision they identify the
    /// answer, on any machine. A revision says nothing of the order in which an experiment lists its variants, so they
    /// count in the order of their keys.
    package var fingerprint: String {
        // Three words for each assigned variant: experiment, variant and reason, and bucket; two more for the number of
        // a window. Then the holdouts.
        var words: [UInt32] = []
        words.reserveCapacity(3 * decisions.count + holdouts.count + 1)
        for experiment in decisions.indices {
            let decision = decisions[experiment]
            guard let variant = decision.variant else { continue }
            // A file has no room for as many variants as 24 bits count.
            let place = UInt32(truncatingIfNeeded: plan.variantOrder.place(of: variant, in: experiment))
            words.append(UInt32(truncatingIfNeeded: experiment).bigEndian)
            words.append((place << 8 | UInt32(decision.reasonNumber)).bigEndian)
            words.append(UInt32(truncatingIfNeeded: decision.bucket ?? -1).bigEndian)
            if let window = plan.window(of: experiment, decision, at: instant)?.number {
                words.append(UInt32(truncatingIfNeeded: window >> 32).bigEndian)
                words.append(UInt32(truncatingIfNeeded: window).bigEndian)
            }
        }
        words.append(.max)
        for holdout in holdouts { words.append(UInt32(truncatingIfNeeded: holdout).bigEndian) }
        return words.withUnsafeBytes { SHA256.revision(of: $0.bindMemory(to: UInt8.self).span) }
    }
}

extension Plan {
    /// The window that decided. Returns `nil` for an experiment without a period, and if none of its windows did.
    package func window(of experiment: Int, _ decision: Decision, at instant: Instant) -> Window? {
        guard decision.reason == .split, let period = compiled.periods[experiment] else { return nil }
        return period.window(at: instant)
    }

    package func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        var evaluator = Evaluator(plan: self, at: instant)
        return evaluator.decide(PreparedSubject(subject, for: self), at: instant)
    }
}

extension Evaluator {
    /// Decides every experiment, and which holdouts hold out the subject.
    package mutating func decide(_ subject: borrowing PreparedSubject, at instant: Instant) -> SubjectDecisions {
        evaluate(subject, at: instant)
        return decided(subject.values.span, subject.bytes.span)
    }
}
