import AllotConfiguration
import AllotCore

/// The units to which an experiment gives a variant at an instant, as regions of buckets. Forced units are left aside.
struct AssignmentRegions: Sendable {
    let variants: [String]
    /// For each variant the units that get it, among those that the audiences admit; `nil` where no unit can get one.
    let regions: [BucketRegion?]
    /// The conditions that a unit has to meet, all of them: those of the experiment and of the experiments that it
    /// requires.
    let audience: Set<JSONValue>
    /// By experiment whose units must not have a variant there, and whose audience admits others than this one: a hash
    /// of what the units have to meet that have one. Ranges alone do not show which units they are.
    let exclusions: [UTF8Key: String]
    /// Whether variants are randomised, rather than one given to all units.
    let isRandomised: Bool

    static func empty(_ variants: [String]) -> AssignmentRegions {
        AssignmentRegions(
            variants: variants, regions: variants.map { _ in nil }, audience: [], exclusions: [:], isRandomised: false)
    }

    var shares: [ExactShare] {
        regions.map { $0?.share ?? .none }
    }
}

extension AssignmentRegions {
    /// The enrolment of one experiment. Complexity: O(ranges of it and of those that it requires, times the variants).
    init(_ experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant) {
        let keys = experiment.variants.map(\.key)
        var gates = Gates(definitions: definitions, instant: instant)
        guard gates.add(experiment) else {
            self = .empty(keys)
            return
        }
        gates.leaveOutUnits()
        let regions = experiment.variants.map { variant -> BucketRegion? in
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

extension AssignmentRegions {
    /// The joint shares of what the experiment gives before and after, without units that get nothing either time.
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

    /// The difference from the conditions of another enrolment of the same experiment: none where no unit gets a
    /// variant on one side, as no condition decides there.
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
    /// The conditions do not differ.
    case none
    /// Conditions were dropped: units that were outside come in, none goes out.
    case widened
    /// Conditions were added: units that were inside go out, and no other enters.
    case narrowed
    /// Units may come in and go out.
    case changed
    /// The conditions are the same, but other units have a variant of an experiment of which they must have none.
    case requirement
}
