import AllotConfiguration
import AllotCore

/// The parts of the definitions that the cases of a run reach: of each experiment that a case names.
struct Coverage: Sendable {
    /// The parts of one experiment that cases reach.
    struct Reached: Sendable {
        var variants: Set<Int> = []
        var reasons: Set<Reason> = []
        /// The tests of the audience that some unit passes, and that some unit fails.
        var passed: Set<Int> = []
        var failed: Set<Int> = []
        var instants: Set<Instant> = []
    }

    private(set) var experiments: [Int: Reached] = [:]

    mutating func note(_ outcome: Decision, of experiment: Int) {
        experiments[experiment, default: Reached()].reasons.insert(outcome.reason)
        if let variant = outcome.variant { experiments[experiment, default: Reached()].variants.insert(variant) }
    }

    mutating func note(_ instant: Instant, of experiments: [Int]) {
        for experiment in experiments { self.experiments[experiment, default: Reached()].instants.insert(instant) }
    }

    mutating func note(cells: inout DecisionCells, of experiments: [Int]) {
        for experiment in experiments {
            for cell in cells.cells(of: experiment) { note(cell.outcome, of: experiment) }
        }
    }

    /// Notes which tests of the audiences of experiments some unit passes or fails.
    mutating func note(_ space: AudienceSpace, _ experiments: [Int], canHold: [Bool], canFail: [Bool]) {
        for experiment in experiments {
            guard let range = space.testRanges[experiment] else { continue }
            var reached = self.experiments[experiment] ?? Reached()
            for test in range {
                if canHold[test] { reached.passed.insert(test - range.lowerBound) }
                if canFail[test] { reached.failed.insert(test - range.lowerBound) }
            }
            self.experiments[experiment] = reached
        }
    }
}

/// Something of an experiment that no case reaches.
package struct CoverageGap: Sendable {
    let experiment: String
    let kind: Kind
    let words: String

    enum Kind: String, Sendable { case variant, reason, test, boundary }

    var line: String { "not reached: \(PrintableText(line: "\(experiment): \(words)"))" }
}

extension Coverage {
    func gaps(in plan: Plan) -> [CoverageGap] {
        plan.experiments.indices.flatMap { gaps($0, experiments[$0] ?? Reached(), plan) }
    }

    private func gaps(_ index: Int, _ reached: Reached, _ plan: Plan) -> [CoverageGap] {
        let experiment = plan.experiments[index]
        var gaps: [CoverageGap] = []
        func add(_ kind: CoverageGap.Kind, _ words: String) {
            gaps.append(CoverageGap(experiment: experiment.key, kind: kind, words: words))
        }
        for (position, variant) in experiment.variants.enumerated()
        where experiment.canAssign(variant: position, as: experiment.status) && !reached.variants.contains(position) {
            add(.variant, "the variant \(variant.key)")
        }
        let reasons = plan.reasons(of: index)
        for reason in Reason.allCases where reasons.contains(reason) && !reached.reasons.contains(reason) {
            add(.reason, "the reason \(reason.text)")
        }
        let tests = reasons.isDisjoint(with: [.paused, .draft, .concluded]) ? experiment.audience.tests : []
        for (position, test) in tests.enumerated() {
            let words = "\(test.attribute ?? "the element") \(test.words)"
            if !reached.passed.contains(position) { add(.test, "a unit that passes: \(words)") }
            if !reached.failed.contains(position) { add(.test, "a unit that fails: \(words)") }
        }
        for boundary in experiment.boundaries {
            let isReached = reached.instants.contains { $0 < boundary } && reached.instants.contains { $0 >= boundary }
            if !isReached { add(.boundary, "both sides of the boundary \(boundary)") }
        }
        return gaps
    }
}

extension Plan {
    /// The reasons for which an experiment can decide something, as far as its definition tells. A missing unit ID,
    /// which is the same for all experiments, is left aside, and so is all that a conclusion without a winner makes
    /// pointless.
    func reasons(of index: Int) -> Set<Reason> {
        let experiment = experiments[index]
        let ownedCount = experiment.variants.reduce(0) { $0 + $1.bucketCount }
        let instants = [Instant(seconds: .min)] + experiment.boundaries
        var reasons: Set<Reason> = []
        for gate in instants.flatMap({ experiment.gates(layer: layer(of: index), holdouts: holdouts, at: $0) }) {
            switch gate {
            case .unit: continue
            case .forced: reasons.insert(.forced)
            case .displacement: if !rivals(of: index).isEmpty { reasons.insert(.displaced) }
            case .buckets(let dimension, let set, let reason):
                if set.count < dimension.resolution { reasons.insert(reason) }
            case .requirement: reasons.insert(.requirement)
            case .audience(let condition): if !condition.lines.isEmpty { reasons.insert(.audience) }
            case .variant(_, let dimension, _):
                reasons.insert(.split)
                if ownedCount < dimension.resolution { reasons.insert(.unallocated) }
            case .end(let decision): if decision.reason != .unallocated { reasons.insert(decision.reason) }
            }
        }
        return reasons.contains(.concluded) ? reasons.subtracting([.requirement, .audience]) : reasons
    }
}
