import AllotConfiguration
import AllotCore

/// Something of an experiment that no case reaches.
package struct CoverageGap: Sendable {
    let experiment: String
    let kind: Kind
    /// What is not reached, in words.
    let words: String

    enum Kind: String, Sendable {
        case variant, reason, test, boundary
    }

    var line: String {
        "not reached: \(PrintableText(line: "\(experiment): \(words)"))"
    }
}

extension Coverage {
    /// What no case reaches, in the order of experiments.
    func gaps(in plan: Plan) -> [CoverageGap] {
        plan.experiments.indices.flatMap { index -> [CoverageGap] in
            let reached = experiments[index] ?? Reached()
            return variantGaps(index, reached, plan) + reasonGaps(index, reached, plan)
                + testGaps(index, reached, plan) + boundaryGaps(index, reached, plan)
        }
    }

    private func variantGaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [CoverageGap] {
        let experiment = plan.experiments[index]
        let definition = plan.definitions.experiments[index]
        return experiment.variants.indices.compactMap { variant in
            guard definition.canAssign(variant: variant, as: definition.status), !reached.variants.contains(variant)
            else { return nil }
            return CoverageGap(
                experiment: experiment.key, kind: .variant, words: "the variant \(experiment.variants[variant].key)")
        }
    }

    private func reasonGaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [CoverageGap] {
        Reason.allCases.filter { plan.canGive($0, index) && !reached.reasons.contains($0) }.map {
            CoverageGap(experiment: plan.experiments[index].key, kind: .reason, words: "the reason \($0.text)")
        }
    }

    private func testGaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [CoverageGap] {
        let experiment = plan.experiments[index]
        guard plan.readsAudience(index) else { return [] }
        var tests: [Condition.Test] = []
        _ = AudienceFormula(plan.definitions.experiments[index].audience, tests: &tests)
        return tests.enumerated().flatMap { position, test -> [CoverageGap] in
            let words = "\(test.attribute ?? "the element") \(test.words)"
            let missing = [
                reached.passed.contains(position) ? nil : "a unit that passes: \(words)",
                reached.failed.contains(position) ? nil : "a unit that fails: \(words)",
            ]
            return missing.compactMap { $0 }.map {
                CoverageGap(experiment: experiment.key, kind: .test, words: $0)
            }
        }
    }

    private func boundaryGaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [CoverageGap] {
        let experiment = plan.experiments[index]
        return experiment.boundaries.compactMap { boundary in
            let isReached = reached.instants.contains { $0 < boundary } && reached.instants.contains { $0 >= boundary }
            guard !isReached else { return nil }
            return CoverageGap(
                experiment: experiment.key, kind: .boundary, words: "both sides of the boundary \(boundary)")
        }
    }
}

extension Plan {
    /// Whether the decisions of an experiment depend on its audience.
    func readsAudience(_ index: Int) -> Bool {
        switch experiments[index].status {
        case .running: true
        case .concluded: experiments[index].winner != nil
        case .draft, .paused: false
        }
    }

    /// Whether an experiment can decide something for a reason, as far as its definition tells. A missing unit ID,
    /// which is the same for all experiments, is left aside.
    func canGive(_ reason: Reason, _ index: Int) -> Bool {
        let experiment = experiments[index]
        let definition = definitions.experiments[index]
        let (isRunning, isConcluded) = (experiment.status == .running, experiment.status == .concluded)
        switch reason {
        case .noUnit: return false
        case .paused: return experiment.status == .paused
        case .forced: return definition.forcesAnyUnit
        case .draft: return experiment.status == .draft
        case .displaced:
            return experiment.status != .paused && experiment.status != .draft && !rivals(of: index).isEmpty
        case .notStarted: return isRunning && experiment.starts != nil
        case .ended: return isRunning && experiment.ends != nil
        case .holdout:
            return (isRunning || isConcluded)
                && definitions.holdouts.contains { $0.covers(definition) && $0.share > 0 }
        case .slot:
            guard isRunning, let layer = experiment.layer else { return false }
            return BucketSet(experiment.slots).count < layers[layer].hash.resolution
        case .requirement: return readsAudience(index) && !definition.requirements.isEmpty
        case .audience: return readsAudience(index) && definition.audience.size > 1
        case .winner: return isConcluded && experiment.winner != nil
        case .concluded: return isConcluded && experiment.winner == nil
        case .everyone: return isRunning && experiment.draw == nil
        case .traffic:
            return isRunning && definition.drawsTraffic
                && experiment.traffic.limited(to: experiment.schedule).lowestShare < Bucketing.bucketCount
        case .unallocated:
            guard isRunning, let hash = experiment.hash else { return false }
            return experiment.variants.reduce(0) { $0 + $1.bucketCount } < hash.resolution
        case .split: return definition.isRandomised
        }
    }
}

extension Traffic {
    /// The least share of all times.
    fileprivate var lowestShare: Int { steps.reduce(initial) { min($0, $1.share) } }
}
