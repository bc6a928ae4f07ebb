import Allot
import AllotConfiguration

/// One experiment before and after a change of definitions.
struct ExperimentPair {
    let key: String
    let old: ExperimentDefinition?
    let new: ExperimentDefinition?
    let before: Enrolment
    let after: Enrolment
    let transitions: [ExperimentMovement.Transition]
    /// What differs, where it is defined before and after.
    let differences: ExperimentChanges?
    /// Units that it enrolled before it was paused or ended, and that come back to another variant.
    let returning: [ExperimentMovement.Transition]
    let forcedMoves: [ExperimentMovement.ForcedMove]

    init(
        _ key: String, from oldIndex: DefinitionsIndex, to newIndex: DefinitionsIndex, _ newlyForced: NewlyForced,
        at instant: Instant
    ) {
        let (old, new) = (oldIndex.experiment(key), newIndex.experiment(key))
        let before = old.map { Enrolment($0, in: oldIndex, at: instant) } ?? .nobody([])
        let after = new.map { Enrolment($0, in: newIndex, at: instant) } ?? .nobody([])
        self.key = key
        (self.old, self.new) = (old, new)
        (self.before, self.after) = (before, after)
        transitions = TransitionTable(from: before, to: after).transitions
        guard let old, let new else {
            (differences, returning, forcedMoves) = (nil, [], [])
            return
        }
        differences = ExperimentChanges(old: old, oldDefinitions: oldIndex, new: new, newDefinitions: newIndex)
        returning =
            old.hasStopped(at: instant) && new.canGoOn
            ? TransitionTable(
                from: Enrolment(old.live, in: oldIndex, at: instant), to: Enrolment(new.live, in: newIndex, at: instant)
            ).transitions.filter { $0.kind == .moves } : []
        forcedMoves = Self.forcedMoves(old, new, before, displaced: newlyForced.displaced(from: new))
    }

    var audience: AudienceChange {
        before.audienceChange(to: after)
    }

    /// Whether every unit is drawn anew while the experiment runs.
    var isRerandomised: Bool {
        (differences?.isRerandomised ?? false) && before.isRandomised && after.isRandomised
    }

    /// Whether any unit may get something else.
    var changesUnits: Bool {
        audience != .none || transitions.contains { $0.kind != .stays }
    }

    /// The experiments that it requires before and after.
    var sharedRequirements: [String] {
        guard let old, let new else { return [] }
        return old.requirements.map(\.experiment).filter { key in
            new.requirements.contains { UTF8Order.areEqual($0.experiment, key) }
        }
    }

    /// Units that are newly forced, here or in an experiment that they then leave this one for, and were drawn into
    /// another variant, as far as the hash of their ID tells.
    private static func forcedMoves(
        _ old: ExperimentDefinition, _ new: ExperimentDefinition, _ before: Enrolment, displaced: [String]
    ) -> [ExperimentMovement.ForcedMove] {
        guard before.isRandomised, new.forcesUnits else { return [] }
        let formerly = Set(old.forced.map { UTF8Key($0.unitID) })
        let forced = new.forced.filter { !formerly.contains(UTF8Key($0.unitID)) }.map {
            ($0.unitID, $0.variant as String?)
        }
        let here = formerly.union(new.forced.map { UTF8Key($0.unitID) })
        let elsewhere = displaced.filter { !here.contains(UTF8Key($0)) }.map { ($0, nil as String?) }
        return (forced + elsewhere).compactMap { unit, variant in
            let drawn = zip(before.variants, before.regions).first { _, region in
                region?.mayHold(unit, as: old.unit) ?? false
            }?.0
            guard let drawn, drawn != variant else { return nil }
            return .init(unit: unit, from: drawn, to: variant)
        }
    }
}

extension ExperimentDefinition {
    /// Whether it enrolled units and has stopped: they come back when it goes on.
    fileprivate func hasStopped(at instant: Instant) -> Bool {
        status == .paused || (status == .running && ends.map { $0 <= instant } ?? false)
    }

    fileprivate var canGoOn: Bool {
        status == .paused || status == .running
    }

    /// The experiment as it is while it runs.
    fileprivate var live: ExperimentDefinition {
        var live = self
        live.status = .running
        (live.starts, live.ends) = (nil, nil)
        return live
    }
}

extension DecisionRegion {
    /// Whether a unit is in it by every draw that its ID decides; what other attributes decide is left open.
    fileprivate func mayHold(_ unitID: String, as unit: String) -> Bool {
        sets.allSatisfy { draw, set in
            guard draw.unit == UTF8Key(unit) else { return true }
            let buckets = SaltedHash(draw.salt).buckets(of: unitID)
            return set.contains(draw.half == .first ? buckets.first : buckets.second)
        }
    }
}
