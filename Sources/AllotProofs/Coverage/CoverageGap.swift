import AllotConfiguration
import AllotCore

/// Something of an experiment that no case reaches.
package struct CoverageGap: Sendable {
    let experiment: String
    let kind: Kind
    let words: String

    enum Kind: String, Sendable {
        case variant, reason, test, boundary
    }

    var line: String { "not reached: \(PrintableText(line: "\(experiment): \(words)"))" }
}

extension Coverage {
    func gaps(in plan: Plan) -> [CoverageGap] {
        plan.experiments.indices.flatMap { index -> [CoverageGap] in
            gaps(index, experiments[index] ?? Reached(), plan).map { kind, words in
                CoverageGap(experiment: plan.experiments[index].key, kind: kind, words: words)
            }
        }
    }

    private func gaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [(kind: CoverageGap.Kind, words: String)] {
        let experiment = plan.experiments[index]
        let definition = plan.definitions.experiments[index]
        var gaps: [(kind: CoverageGap.Kind, words: String)] = []
        for (position, variant) in experiment.variants.enumerated()
        where definition.canAssign(variant: position, as: definition.status) && !reached.variants.contains(position) {
            gaps.append((.variant, "the variant \(variant.key)"))
        }
        for reason in Reason.allCases where plan.canGive(reason, index) && !reached.reasons.contains(reason) {
            gaps.append((.reason, "the reason \(reason.text)"))
        }
        let tests = plan.readsAudience(index) ? definition.audience.tests : []
        for (position, test) in tests.enumerated() {
            let words = "\(test.attribute ?? "the element") \(test.words)"
            if !reached.passed.contains(position) { gaps.append((.test, "a unit that passes: \(words)")) }
            if !reached.failed.contains(position) { gaps.append((.test, "a unit that fails: \(words)")) }
        }
        for boundary in experiment.boundaries {
            let isReached = reached.instants.contains { $0 < boundary } && reached.instants.contains { $0 >= boundary }
            if !isReached { gaps.append((.boundary, "both sides of the boundary \(boundary)")) }
        }
        return gaps
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
        let (isRunning, isConcluded) = (experiment.status == .running, experiment.status == .concluded)
        switch reason {
        case .noUnit: return false
        case .paused: return experiment.status == .paused
        case .forced: return experiment.forcesAnyUnit
        case .draft: return experiment.status == .draft
        case .displaced:
            return experiment.status != .paused && experiment.status != .draft && !rivals(of: index).isEmpty
        case .notStarted: return isRunning && experiment.starts != nil
        case .ended: return isRunning && experiment.ends != nil
        case .holdout:
            return (isRunning || isConcluded)
                && definitions.holdouts.contains { $0.covers(experiment) && $0.share > 0 }
        case .slot:
            guard isRunning, let layer = layer(of: index) else { return false }
            return BucketSet(experiment.slots).count < layer.hash.resolution
        case .requirement: return readsAudience(index) && !experiment.requirements.isEmpty
        case .audience: return readsAudience(index) && experiment.audience.size > 1
        case .winner: return isConcluded && experiment.winner != nil
        case .concluded: return isConcluded && experiment.winner == nil
        case .everyone: return isRunning && experiment.draw == nil
        case .traffic:
            return isRunning && experiment.drawsTraffic
                && experiment.traffic.limited(to: experiment.schedule).lowestShare < Bucketing.bucketCount
        case .unallocated:
            guard isRunning, let hash = experiment.hash else { return false }
            return experiment.variants.reduce(0) { $0 + $1.bucketCount } < hash.resolution
        case .split: return experiment.isRandomised
        }
    }
}

extension Traffic {
    fileprivate var lowestShare: Int { steps.reduce(initial) { min($0, $1.share) } }
}
