import AllotConfiguration
import AllotCore

/// One experiment before and after a change of definitions.
struct ExperimentPair {
    let key: String
    let old: ExperimentDefinition?
    let new: ExperimentDefinition?
    let before: AssignmentRegions
    let after: AssignmentRegions
    let transitions: [ExperimentReassignment.Transition]
    let audience: AudienceChange
    let differences: ExperimentChanges?
    /// Units that it enrolled before and no longer does, and that come back to another variant.
    let returning: [ExperimentReassignment.Transition]
    let forcedMoves: [ExperimentReassignment.ForcedMove]
    /// The new steps after the instant that lower the traffic.
    let fallingSteps: [String]

    init(
        _ experiment: BeforeAndAfter<ExperimentDefinition>, from oldIndex: DefinitionsIndex,
        to newIndex: DefinitionsIndex, in newPlan: Plan, at instant: Instant
    ) {
        let (old, new) = (experiment.before, experiment.after)
        let before = old.map { AssignmentRegions($0, in: oldIndex, at: instant) } ?? .empty([])
        let after = new.map { AssignmentRegions($0, in: newIndex, at: instant) } ?? .empty([])
        key = experiment.name
        (self.old, self.new) = (old, new)
        (self.before, self.after) = (before, after)
        audience = before.audienceChange(to: after)
        transitions = before.transitions(to: after, areDisjoint: audience == .disjoint)
        guard let old, let new else {
            (differences, returning, forcedMoves, fallingSteps) = (nil, [], [], [])
            return
        }
        let known = Set(old.fallingSteps(after: instant))
        fallingSteps = new.fallingSteps(after: instant).filter { !known.contains($0) }
        differences = ExperimentChanges(old: old, oldDefinitions: oldIndex, new: new, newDefinitions: newIndex)
        let former = new.canGoOn ? Self.former(old, in: oldIndex, at: instant) : nil
        returning =
            former?.transitions(to: AssignmentRegions(new.live, in: newIndex, at: instant))
            .filter { $0.kind == .moves } ?? []
        forcedMoves = Self.forcedMoves(old, new, before, displaced: newPlan.newlyDisplaced(from: new, since: oldIndex))
    }

    /// The attributes, in words, of a unit that leaves and of one that enters, as the engine confirms.
    func examples(_ old: inout Evaluator, _ new: inout Evaluator) -> (leaving: String?, entering: String?) {
        guard changesUnits else { return (nil, nil) }
        return (
            confirmed(before.example(leftOutBy: after), in: &old, leftOutIn: &new),
            confirmed(after.example(leftOutBy: before), in: &new, leftOutIn: &old)
        )
    }

    private func confirmed(
        _ example: Subject?, in own: inout Evaluator, leftOutIn other: inout Evaluator
    ) -> String? {
        guard var subject = example else { return nil }
        for unit in [old?.unit, new?.unit].compactMap(\.self) { subject.addUnitIDs(of: unit) }
        return own.assigns(key, subject) && !other.assigns(key, subject) ? subject.attributeWords : nil
    }

    /// Whether the shares are of dimensions that are not independent and have no common one.
    var hasOpenShares: Bool {
        let regions = (before.regions + after.regions).compactMap(\.self)
        return BucketDimension.areOpen(Set(regions.flatMap(\.boxes).flatMap { $0.sets.keys }))
    }

    var isRerandomised: Bool { (differences?.isRerandomised ?? false) && before.isRandomised && after.isRandomised }
    var changesUnits: Bool { audience != .none || transitions.contains { $0.kind != .stays } }

    /// Whether units that were randomised before an instant come back, or go on, under the same salt.
    func goesOn(at instant: Instant) -> Bool {
        guard let old, let new, let draw = old.draw, draw == new.draw, old.status != .draft, new.canGoOn
        else { return false }
        return old.schedule.starts.map { $0 <= instant } ?? true && old.highestTraffic(until: instant) > 0
    }

    func carryingOver(_ settings: SettingComparison, at instant: Instant) -> [String] {
        guard goesOn(at: instant), let old, let new else { return [] }
        let isLive = before.isRandomised && after.isRandomised
        let staying = transitions.filter { $0.kind == .stays }.compactMap(\.from)
        return settings.changedVariants(old, new).filter { !isLive || staying.contains($0) }
    }

    /// The units that an experiment enrolled before an instant and no longer does: all of them once it has stopped, and
    /// those outside its present traffic if that was larger before. Returns `nil` if there are none.
    private static func former(
        _ experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant
    ) -> AssignmentRegions? {
        let (stopped, highest) = (experiment.hasStopped(at: instant), experiment.highestTraffic(until: instant))
        let current = experiment.traffic.share(at: instant)
        let isLowered = experiment.isLive(at: instant) && experiment.drawsTraffic && current < highest
        guard stopped || isLowered else { return nil }
        var live = experiment.live
        live.traffic = .constant(highest)
        var enrolled = AssignmentRegions(live, in: definitions, at: instant)
        guard !stopped, let draw = experiment.draw else { return enrolled }
        for index in enrolled.regions.indices {
            enrolled.regions[index]?.restrict(
                BucketDimension(draw, half: .first, at: instant), to: BucketSet([current..<highest]))
        }
        return enrolled
    }

    var sharedRequirements: [String] {
        guard let old, let new else { return [] }
        return old.requirements.map(\.experiment).filter { key in
            new.requirements.contains { UTF8Order.areEqual($0.experiment, key) }
        }
    }

    /// Units that were randomised into a variant, as far as the hash of their ID tells, and are newly forced into
    /// another one; or that an experiment which forces them takes from this one, or from its winner.
    private static func forcedMoves(
        _ old: ExperimentDefinition, _ new: ExperimentDefinition, _ before: AssignmentRegions, displaced: [String]
    ) -> [ExperimentReassignment.ForcedMove] {
        guard before.isRandomised ? new.forcesUnits : new.commonVariant != nil, let unitName = old.unit
        else { return [] }
        // A concluded experiment forces no unit, whatever its list says.
        let formerly = Set((before.isRandomised ? old.forced : []).map { UTF8Key($0.unitID) })
        let forced = (before.isRandomised ? new.forced : []).filter { !formerly.contains(UTF8Key($0.unitID)) }
            .map { ($0.unitID, $0.variant as String?) }
        let here = formerly.union(forced.map { UTF8Key($0.0) })
        let elsewhere = displaced.filter { !here.contains(UTF8Key($0)) }.map { ($0, nil as String?) }
        return (forced + elsewhere).compactMap { unit, variant in
            let randomised = zip(before.variants, before.regions).first { _, region in
                region?.boxes.contains { $0.mayHold(unit, as: UTF8Key(unitName)) } ?? false
            }?.0
            guard let randomised, randomised != variant else { return nil }
            return .init(unit: unit, from: randomised, to: variant)
        }
    }
}

extension Subject {
    /// Adds IDs in the attributes of a unit that have no value.
    mutating func addUnitIDs(of unit: String) {
        for name in CompositeUnit.parts(of: unit) where value(of: name) == nil { setTyped(name, "unit-0") }
    }
}

extension Evaluator {
    fileprivate mutating func assigns(_ key: String, _ subject: Subject) -> Bool {
        guard let index = plan.index(of: key) else { return false }
        return decide(index, for: PreparedSubject(subject, for: plan)).variant != nil
    }
}

extension ExperimentDefinition {
    /// Whether it may have enrolled units and has stopped: they come back when it continues.
    fileprivate func hasStopped(at instant: Instant) -> Bool {
        // One that starts later has enrolled no unit yet.
        if let starts = schedule.starts, instant < starts { return false }
        return switch status {
        case .draft: false
        case .running: ends.map { $0 <= instant } ?? false
        case .paused: true
        case .concluded: winner == nil
        }
    }

    fileprivate func isLive(at instant: Instant) -> Bool { status == .running && schedule.reason(at: instant) == nil }

    /// The largest share of its traffic from its start until an instant, of 1,000,000.
    fileprivate func highestTraffic(until instant: Instant) -> Int {
        let traffic = traffic.limited(to: schedule)
        return traffic.steps.filter { $0.from <= instant }.reduce(traffic.initial) { max($0, $1.share) }
    }

    fileprivate func fallingSteps(after instant: Instant) -> [String] {
        guard status == .running else { return [] }
        let traffic = traffic.limited(to: schedule)
        let shares = [traffic.initial] + traffic.steps.map(\.share)
        return zip(shares, traffic.steps).filter { $0 > $1.share && $1.from > instant }.map { share, step in
            let shares = [share, step.share].map(Percentage.text(ofBuckets:))
            return "\(shares[0]) → \(shares[1]) from \(step.from.shortText)"
        }
    }

    fileprivate var canGoOn: Bool { status == .paused || status == .running }

    fileprivate var live: ExperimentDefinition {
        var live = self
        live.status = .running
        (live.starts, live.ends) = (nil, nil)
        return live
    }
}

extension Plan {
    /// The units that are newly forced into other experiments, which take them from one.
    fileprivate func newlyDisplaced(from experiment: ExperimentDefinition, since old: DefinitionsIndex) -> [String] {
        let rivals = index(of: experiment.key).map(rivals) ?? []
        return rivals.map { definitions.experiments[$0] }.flatMap { rival -> [String] in
            guard let unit = experiment.unit, let other = rival.unit, UTF8Order.areEqual(other, unit)
            else { return [] }
            let before = old.experiment(rival.key).map { $0.forcesUnits ? $0.forced : [] } ?? []
            let known = Set(before.map { UTF8Key($0.unitID) })
            return rival.forced.map(\.unitID).filter { !known.contains(UTF8Key($0)) }
        }
    }
}
