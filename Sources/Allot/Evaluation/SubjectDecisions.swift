/// Everything that was decided for one subject, for answers in several forms.
package struct SubjectDecisions: Sendable {
    /// By the index of the experiment in the plan.
    package let decisions: [Decision]
    /// The indices of the holdouts that hold the subject.
    package let holdouts: [Int]

    /// 16 hexadecimal digits of the SHA-256 of what the subject holds: with the plan's revision they stand for the
    /// answer, on any machine.
    package var fingerprint: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(decisions.count * 13 + holdouts.count * 4)
        func append(_ number: Int32) {
            let unsigned = UInt32(bitPattern: number)
            bytes.append(UInt8(truncatingIfNeeded: unsigned >> 24))
            bytes.append(UInt8(truncatingIfNeeded: unsigned >> 16))
            bytes.append(UInt8(truncatingIfNeeded: unsigned >> 8))
            bytes.append(UInt8(truncatingIfNeeded: unsigned))
        }
        for (experiment, decision) in decisions.enumerated() where decision.variant != nil {
            append(Int32(truncatingIfNeeded: experiment))
            append(decision.variantIndex)
            append(decision.splitBucket)
            bytes.append(decision.reason.rawValue)
        }
        append(-1)
        for holdout in holdouts { append(Int32(truncatingIfNeeded: holdout)) }
        return SHA256.revision(of: bytes)
    }
}

extension Plan {
    /// Decides every experiment for a subject.
    package func decide(_ subject: Subject, at instant: Instant) -> SubjectDecisions {
        let prepared = PreparedSubject(subject, for: self)
        var evaluator = Evaluator(plan: self, at: instant)
        evaluator.evaluate(prepared)
        return SubjectDecisions(
            decisions: evaluator.decisions,
            holdouts: evaluator.holdouts(prepared.values.span, prepared.bytes.span))
    }
}
