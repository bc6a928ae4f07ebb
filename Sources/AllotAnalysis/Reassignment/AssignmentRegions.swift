import AllotConfiguration
import AllotCore

/// The units to which an experiment gives a variant at an instant, as regions of buckets. Forced units are left aside.
struct AssignmentRegions: Sendable {
    let variants: [String]
    /// For each variant the units that get it, among those that the audiences admit; `nil` where no unit can get one.
    var regions: [BucketRegion?]
    /// All units that get a variant, among those that the audiences admit; `nil` where no unit can get one.
    let enrolled: BucketRegion?
    /// The audiences of the experiment and of the experiments that it requires.
    let conditions: [Condition]
    /// By experiment whose units must not have a variant there, where ranges alone do not show which units they are: a
    /// hash of what the units have to meet that have one.
    let exclusions: [UTF8Key: String]
    /// Whether variants are randomised, rather than one given to all units.
    let isRandomised: Bool

    static func empty(_ variants: [String]) -> AssignmentRegions {
        AssignmentRegions(
            variants: variants, regions: variants.map { _ in nil }, enrolled: nil, conditions: [], exclusions: [:],
            isRandomised: false)
    }

    var audience: Set<JSONValue> { conditions.conjuncts }
    var shares: [ExactShare] { regions.map { $0?.share ?? .none } }
}

extension AssignmentRegions {
    /// The enrolment of one experiment. Complexity: O(ranges of it and of those that it requires, times the variants).
    init(_ experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant) {
        let keys = experiment.variants.map(\.key)
        var gated = GatedUnits(definitions: definitions, instant: instant)
        guard gated.add(experiment) else {
            self = .empty(keys)
            return
        }
        gated.leaveOutUnits()
        var all = gated
        let enrolled = all.choose(keys, of: experiment) ? all.region : nil
        let regions = experiment.variants.map { variant -> BucketRegion? in
            var own = gated
            guard own.choose([variant.key], of: experiment) else { return nil }
            return experiment.isRandomised && own.region.share.isNone ? nil : own.region
        }
        self.init(
            variants: keys, regions: regions, enrolled: enrolled, conditions: gated.conditions,
            exclusions: gated.exclusions, isRandomised: experiment.isRandomised)
    }
}

extension AssignmentRegions {
    /// The joint shares of what the experiment gives before and after, without units that get nothing either time. If
    /// no unit is in both audiences, all units of the one leave, and all of the other enter.
    func transitions(
        to new: AssignmentRegions, areDisjoint: Bool = false
    ) -> [ExperimentReassignment.Transition] {
        var transitions: [ExperimentReassignment.Transition] = []
        var entering = new.shares
        for (i, from) in regions.enumerated() {
            var leaving = shares[i]
            for (j, to) in new.regions.enumerated() {
                guard !areDisjoint, let from, let to else { continue }
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

    /// The difference from the conditions of another enrolment of the same experiment: none where no unit gets a
    /// variant on one side, as no condition decides there.
    func audienceChange(to other: AssignmentRegions) -> AudienceChange {
        guard regions.contains(where: { $0 != nil }), other.regions.contains(where: { $0 != nil }) else { return .none }
        let (own, others) = (audience, other.audience)
        if exclusions != other.exclusions { return own == others ? .requirement : .changed }
        if own == others { return .none }
        var space = UnitSpace()
        let (old, new) = (units(in: &space), other.units(in: &space))
        // No unit is in both where one of them is empty, so that proofs of one inside the other say nothing.
        if old.isProvablyDisjoint(from: new, in: &space) {
            return old.isProvablyEmpty(in: &space) && new.isProvablyEmpty(in: &space) ? .none : .disjoint
        }
        let areKept = own.isSuperset(of: others) || old.isProvablySubset(of: new, in: &space)
        let areOld = own.isSubset(of: others) || new.isProvablySubset(of: old, in: &space)
        if areKept { return areOld ? .none : .widened }
        return areOld ? .narrowed : .changed
    }

    private func units(in space: inout UnitSpace) -> UnitSet { UnitSet(.all(conditions), in: &space) }

    /// A unit that gets a variant here and none in another enrolment, as far as conditions and ranges tell, which leave
    /// forced units and exclusions aside; `nil` if none is known. Of several one that conditions leave out.
    func example(leftOutBy other: AssignmentRegions) -> Subject? {
        guard let enrolled else { return nil }
        var space = UnitSpace()
        var outside = UnitSet.everyone
        if let others = other.enrolled {
            outside = other.units(in: &space).complement(in: &space)
            outside = outside.union(UnitSet(others).complement(in: &space))
        }
        let own = units(in: &space).intersection(UnitSet(enrolled), in: &space)
        return own.intersection(outside, in: &space).witness(in: &space)
    }
}

/// How the units differ that meet the conditions before and after a change, as far as that is proved.
enum AudienceChange: String, Sendable {
    /// No unit meets them only before or only after the change, however they are worded.
    case none
    /// Units that were outside come in, none goes out.
    case widened
    /// Units that were inside go out, and no other enters.
    case narrowed
    /// No unit meets both.
    case disjoint
    /// Units may come in and go out.
    case changed
    /// The conditions are the same, but other units have a variant of an experiment of which they must have none.
    case requirement
}
