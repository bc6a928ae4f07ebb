import AllotConfiguration
import AllotCore

/// Proves that no unit can be assigned variants of two experiments at one instant. Forced units pass every check; the
/// check of displacement keeps the proofs true for them. Paused experiments, and those that are concluded without a
/// winner, are not compared.
struct OverlapProof: Sendable {
    private let experiments: [ExperimentDefinition]
    private var admissions: [Int: Admission] = [:]
    /// `nil` until two audiences are compared.
    private var space: UnitSpace?

    /// The gates that a unit passes to get into an experiment, as far as proofs use them.
    private struct Admission: Sendable {
        let index: Int
        /// The layer that keeps units out; `nil` also for a winner, which ignores slots.
        let layer: String?
        let slots: BucketSet
        /// When it enrols units; always for a winner.
        let schedule: Schedule
        /// By experiment the variants there that admit a unit; `nil` stands for no variant.
        let requirements: [UTF8Key: Set<UTF8Key?>]
        /// `nil` until two audiences are compared, which takes longest.
        var audience: UnitSet?
    }

    init(_ experiments: [ExperimentDefinition]) { self.experiments = experiments }

    /// A unit that is in the audiences of two experiments; `nil` if none is known.
    mutating func example(of first: Int, _ second: Int) -> Subject? {
        let (own, other) = (audience(first), audience(second))
        return inSpace { space in own.intersection(other, in: &space).witness(in: &space) }
    }

    /// The first check that keeps every unit out of one of two experiments; `nil` if one unit may be in both.
    /// Complexity: O(slots + tests of both audiences) for simple audiences.
    mutating func separation(of first: Int, _ second: Int) -> Check? {
        let (left, right) = (admission(first), admission(second))
        for check in Check.allCases where separates(check, left, right) { return check }
        return nil
    }

    /// The proof that no unit is in the audience of an experiment, and the attributes of the proof; `nil` if there is
    /// none. A unit has a unit ID, so an audience of units without one is empty as well.
    mutating func contradiction(inAudienceOf index: Int) -> UnitSet.Contradiction? {
        let condition = experiments[index].audienceWithUnit
        return inSpace { space in UnitSet(condition, in: &space).contradiction(in: &space) }
    }

    /// Works in the space of all audiences, which is made when it is first needed.
    private mutating func inSpace<Result>(_ body: (inout UnitSpace) -> Result) -> Result {
        var current = space ?? UnitSpace(listsIn: experiments.lazy.map(\.audience))
        // One owner alone, so that nothing is copied.
        space = nil
        defer { space = current }
        return body(&current)
    }

    private mutating func admission(_ index: Int) -> Admission {
        if let admission = admissions[index] { return admission }
        let experiment = experiments[index]
        let requirements = experiment.requirements.map { (UTF8Key($0.experiment), $0.admittedKeys) }
        let admission = Admission(
            index: index, layer: experiment.forcesUnits ? experiment.layer : nil, slots: BucketSet(experiment.slots),
            schedule: experiment.forcesUnits ? experiment.enrolment : Schedule(starts: nil, ends: nil),
            requirements: Dictionary(requirements, uniquingKeysWith: { first, _ in first }))
        admissions[index] = admission
        return admission
    }

    private mutating func audience(_ index: Int) -> UnitSet {
        if let audience = admission(index).audience { return audience }
        let experiment = experiments[index]
        let units = Set((experiment.draw?.unitAttributes ?? []).map(UTF8Key.init))
        let testsUnit = experiment.audience.tests.contains { test in
            test.attribute.map { units.contains(UTF8Key($0)) } ?? false
        }
        let condition = testsUnit ? experiment.audienceWithUnit : experiment.audience
        let audience = inSpace { UnitSet(condition, in: &$0) }
        admissions[index]?.audience = audience
        return audience
    }

    /// Whether a check keeps every unit out of one of two experiments.
    private mutating func separates(_ check: Check, _ left: Admission, _ right: Admission) -> Bool {
        switch check {
        case .schedule: return left.schedule.isDisjoint(from: right.schedule)
        case .slot:
            guard let own = left.layer, let other = right.layer, UTF8Order.areEqual(own, other) else { return false }
            return left.slots.intersection(right.slots).isEmpty
        case .requirement:
            return left.requirements.contains { experiment, variants in
                right.requirements[experiment].map(variants.isDisjoint) ?? false
            }
        case .audience:
            let (own, other) = (audience(left.index), audience(right.index))
            return inSpace { own.isProvablyDisjoint(from: other, in: &$0) }
        // These leave one unit to both, or are the same for both.
        case .unit, .paused, .forced, .draft, .displacement, .holdout, .conclusion, .traffic, .split: return false
        }
    }
}

extension ExperimentDefinition {
    fileprivate var audienceWithUnit: Condition {
        let hasUnit = (draw?.unitAttributes ?? []).map {
            Condition.test(Condition.Test(attribute: $0, predicate: .exists, isNegated: false, words: ""))
        }
        return .all([audience] + hasUnit)
    }
}

extension ExperimentDefinition.Requirement {
    /// The variants that a unit may be assigned; `nil` stands for no variant. As a unit is assigned one variant or
    /// none, units that disjoint requirements admit are different ones.
    fileprivate var admittedKeys: Set<UTF8Key?> {
        switch admitted {
        case .variants(let variants): Set(variants.map(UTF8Key.init))
        case .noVariant: [nil]
        }
    }
}
