import Allot
import AllotConfiguration

/// Whom an experiment gives a variant at an instant, as regions of buckets. Forced units are left aside.
struct AssignmentRegions: Sendable {
    /// The keys of the variants, in the order of the definition.
    let variants: [String]
    /// For each variant the units that get it, among those that the audiences admit; `nil` where nobody can get one.
    let regions: [DecisionRegion?]
    /// The conditions that a unit has to meet, all of them: those of the experiment and of the experiments that it
    /// requires. Empty for everyone.
    let audience: Set<JSONValue>
    /// By experiment whose units must not have a variant there, and whose audience admits others than this one: the
    /// units that have one, as JSON that changes when they do. Ranges alone do not tell who they are.
    let exclusions: [UTF8Key: JSONValue]
    /// Whether variants are drawn, rather than one given to everyone.
    let isRandomised: Bool

    /// An experiment that assigns nobody.
    static func nobody(_ variants: [String]) -> AssignmentRegions {
        AssignmentRegions(
            variants: variants, regions: variants.map { _ in nil }, audience: [], exclusions: [:], isRandomised: false)
    }

    /// The exact share of each variant.
    var shares: [ExactShare] {
        regions.map { $0?.share ?? .none }
    }
}

extension AssignmentRegions {
    /// The enrolment of one experiment of some definitions.
    ///
    /// Complexity: O(ranges of the experiment and of those that it requires, times the variants).
    init(_ experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant) {
        let keys = experiment.variants.map(\.key)
        var gates = Gates(definitions: definitions, instant: instant)
        guard gates.add(experiment) else {
            self = .nobody(keys)
            return
        }
        gates.leaveOutUnits()
        let regions = experiment.variants.map { variant -> DecisionRegion? in
            guard experiment.isRandomised, let draw = experiment.draw else {
                return variant.key == experiment.commonVariant ? gates.region : nil
            }
            var region = gates.region
            region.restrict(BucketDimension(draw, half: .second), to: BucketSet(variant.buckets))
            return region.share.isNone ? nil : region
        }
        self.init(
            variants: keys, regions: regions, audience: gates.audience, exclusions: gates.exclusions,
            isRandomised: experiment.isRandomised)
    }
}

/// Collects what a unit has to pass to get into an experiment.
private struct Gates {
    let definitions: DefinitionsIndex
    let instant: Instant
    var region = DecisionRegion()
    var audience: Set<JSONValue> = []
    /// The experiments whose units are to be left out.
    var leftOut: [ExperimentDefinition] = []
    var exclusions: [UTF8Key: JSONValue] = [:]
    /// The experiments whose gates are in: several may require one.
    var added: Set<UTF8Key> = []

    /// Adds every gate of an experiment but the choice of the variant.
    ///
    /// - Returns: whether anyone can pass.
    mutating func add(_ experiment: ExperimentDefinition) -> Bool {
        guard added.insert(UTF8Key(experiment.key)).inserted else { return true }
        for check in Check.allCases {
            switch check {
            // Every unit has an ID here, and forced units are left aside with those that they displace.
            case .unit, .forced, .displacement: continue
            case .paused: if experiment.status == .paused { return false }
            case .draft: if experiment.status == .draft { return false }
            case .schedule:
                if experiment.status == .running, experiment.schedule.reason(at: instant) != nil { return false }
            case .holdout: addHoldouts(experiment)
            case .slot: if experiment.status == .running { addSlots(experiment) }
            case .requirement: guard experiment.requirements.allSatisfy({ add($0) }) else { return false }
            case .audience: audience.formUnion(experiment.audience.conjuncts)
            case .conclusion: if experiment.status == .concluded { return experiment.winner != nil }
            case .traffic:
                guard let draw = experiment.draw, experiment.drawsTraffic else { continue }
                region.restrict(
                    BucketDimension(draw, half: .first),
                    to: BucketSet([0..<experiment.traffic.share(at: instant)]))
            // The choice of a variant follows the checks.
            case .split: continue
            }
        }
        return true
    }

    private mutating func addHoldouts(_ experiment: ExperimentDefinition) {
        for holdout in definitions.definitions.holdouts where holdout.covers(experiment) {
            region.restrict(
                BucketDimension(hash: holdout.hash, unit: holdout.unit, half: .first),
                to: BucketSet([holdout.share..<holdout.hash.resolution]))
        }
    }

    private mutating func addSlots(_ experiment: ExperimentDefinition) {
        guard let layer = definitions.layer(experiment.layer) else { return }
        region.restrict(
            BucketDimension(hash: layer.hash, unit: layer.unit, half: .first), to: BucketSet(experiment.slots))
    }

    /// Adds the gates of a required experiment and the choice of one of the variants that admit a unit, or leaves out
    /// the units that have a variant there.
    private mutating func add(_ requirement: ExperimentDefinition.Requirement) -> Bool {
        guard let experiment = definitions.experiment(requirement.experiment) else { return false }
        switch requirement.admitted {
        case .variants(let variants): return add(experiment) && choose(variants, of: experiment)
        case .noVariant:
            leftOut.append(experiment)
            return true
        }
    }

    /// Keeps the units that get one of some variants of an experiment whose gates are in.
    private mutating func choose(_ variants: [String], of experiment: ExperimentDefinition) -> Bool {
        guard experiment.isRandomised, let draw = experiment.draw else {
            return experiment.commonVariant.map(variants.contains) ?? false
        }
        let buckets = experiment.variants.filter { variants.contains($0.key) }.flatMap(\.buckets)
        region.restrict(BucketDimension(draw, half: .second), to: BucketSet(buckets))
        return true
    }

    /// Leaves out the units that get a variant of an experiment that must not give them one; when all gates are in.
    ///
    /// If its audience admits every unit that is admitted here, ranges tell which units those are.
    mutating func leaveOutUnits() {
        for experiment in leftOut {
            var other = Gates(definitions: definitions, instant: instant)
            guard other.add(experiment), other.choose(experiment.variants.map(\.key), of: experiment) else { continue }
            other.leaveOutUnits()
            guard !other.region.isDisjoint(from: region) else { continue }
            if other.exclusions.isEmpty, other.audience.isSubset(of: audience),
                let rest = region.subtracting(other.region)
            {
                region = rest
            } else {
                exclusions[UTF8Key(experiment.key)] = other.canonical
            }
        }
    }

    /// The units that pass, as JSON that changes when they do.
    private var canonical: JSONValue {
        let boxes = region.boxes.map { box in
            JSONValue.object(
                JSONObject(
                    box.sets.map { dimension, set in
                        (
                            key: dimension.canonicalText,
                            value: .array(set.ranges.map { .string("\($0)") })
                        )
                    })
            ).canonicalText
        }
        return [
            "audience": .array(audience.map(\.canonicalText).sorted().map(JSONValue.string)),
            "exclusions": .object(JSONObject(exclusions.map { (key: $0.key.text, value: $0.value) })),
            "units": .array(boxes.sorted().map(JSONValue.string)),
        ]
    }
}

extension Condition {
    /// The conditions that all have to hold, none for everyone.
    fileprivate var conjuncts: [JSONValue] {
        switch self {
        case .all(let parts): parts.flatMap(\.conjuncts)
        case .segment(_, let part): part.conjuncts
        case .any, .not, .test: [canonical]
        }
    }
}

extension AssignmentRegions {
    /// The joint shares of what the experiment gives before and after, without units that get nothing either time.
    ///
    /// Complexity: O(variants before × variants after), each an intersection of ranges.
    func transitions(to new: AssignmentRegions) -> [ExperimentReassignment.Transition] {
        var transitions: [ExperimentReassignment.Transition] = []
        var entering = new.shares
        for (i, from) in regions.enumerated() {
            var leaving = shares[i]
            for (j, to) in new.regions.enumerated() {
                guard let from, let to else { continue }
                let share = from.intersection(to).share
                transitions.append(.init(from: variants[i], to: new.variants[j], share: share))
                leaving = leaving - share
                entering[j] = entering[j] - share
            }
            transitions.append(.init(from: variants[i], to: nil, share: leaving))
        }
        transitions += zip(new.variants, entering).map { .init(from: nil, to: $0, share: $1) }
        return transitions.filter { !$0.share.isNone }
    }

    /// How the conditions differ from those of another enrolment of the same experiment.
    ///
    /// Where nobody gets a variant on one side, no condition decides there, and nothing differs.
    func audienceChange(to other: AssignmentRegions) -> AudienceChange {
        guard regions.contains(where: { $0 != nil }), other.regions.contains(where: { $0 != nil }) else { return .none }
        if exclusions != other.exclusions { return audience == other.audience ? .requirement : .changed }
        if audience == other.audience { return .none }
        if audience.isStrictSuperset(of: other.audience) { return .widened }
        return audience.isStrictSubset(of: other.audience) ? .narrowed : .changed
    }
}

/// How the conditions that units have to meet differ, as far as their wording proves it.
enum AudienceChange: String, Sendable {
    /// Not at all.
    case none
    /// Conditions were dropped: units that were outside come in, none goes out.
    case widened
    /// Conditions were added: units that were inside go out, none comes in.
    case narrowed
    /// Units may come in and go out.
    case changed
    /// The conditions are the same, but other units have a variant of an experiment of which they must have none.
    case requirement
}
