import Allot
import AllotConfiguration

/// What a change of definitions does to units, before it is made: for every experiment who enters, leaves, stays and
/// moves, and which settings change for whom.
public struct DefinitionsMovement: Sendable {
    /// Every experiment of before or after, in the order of their keys.
    public let experiments: [ExperimentMovement]
    /// The settings whose base value changed.
    public let base: [SettingChange]
    /// What changed of layers and holdouts, for people.
    public let surroundings: [String]

    /// The experiments for which there is something to tell.
    public var changed: [ExperimentMovement] {
        experiments.filter(\.isChanged)
    }

    /// Whether any unit that was drawn into a variant holds another one after, or none.
    public var movesEnrolled: Bool {
        experiments.contains(where: \.movesEnrolled)
    }

    /// Compares definitions at an instant.
    ///
    /// Complexity: for each experiment O(variants before × variants after × ranges).
    package init(from old: Definitions, to new: Definitions, at instant: Instant) {
        let settings = SettingComparison(oldBase: old.base, newBase: new.base)
        let carryOver = CarryOver(old: old, new: new, instant: instant)
        let before = Dictionary(
            old.experiments.map { (UTF8Key($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(
            new.experiments.map { (UTF8Key($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        experiments = Set(before.keys).union(after.keys).sorted().map { key in
            ExperimentMovement(
                key.text, from: before[key], in: old, to: after[key], in: new, at: instant, settings, carryOver)
        }
        base = settings.ofBase
        surroundings =
            Self.changes(
                "layer", old.layers.map { ($0.name, "salt \($0.salt), unit \($0.unit)") },
                new.layers.map { ($0.name, "salt \($0.salt), unit \($0.unit)") })
            + Self.changes("holdout", old.holdouts.map(Self.described), new.holdouts.map(Self.described))
    }

    private static func described(_ holdout: HoldoutDefinition) -> (String, String) {
        let share = Percentage.text(ofBuckets: holdout.share)
        return (holdout.name, "\(share), salt \(holdout.salt), unit \(holdout.unit)")
    }

    private static func changes(_ kind: String, _ old: [(String, String)], _ new: [(String, String)]) -> [String] {
        let before = Dictionary(old.map { (UTF8Key($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { (UTF8Key($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
        return Set(before.keys).union(after.keys).sorted().compactMap { name in
            switch (before[name], after[name]) {
            case (let old?, let new?): old == new ? nil : "\(kind) \(name.text): (\(old)) → (\(new))"
            case (let old?, nil): "\(kind) \(name.text) removed (\(old))"
            case (nil, let new?): "\(kind) \(name.text) added (\(new))"
            case (nil, nil): nil
            }
        }
    }
}

extension ExperimentMovement {
    fileprivate init(
        _ key: String, from old: ExperimentDefinition?, in oldDefinitions: Definitions, to new: ExperimentDefinition?,
        in newDefinitions: Definitions, at instant: Instant, _ settings: SettingComparison, _ carryOver: CarryOver
    ) {
        let before = old.map { Enrolment($0, in: oldDefinitions, at: instant) } ?? .nobody([])
        let after = new.map { Enrolment($0, in: newDefinitions, at: instant) } ?? .nobody([])
        let differences = old.flatMap { old in
            new.map { new in
                ExperimentChanges(
                    old: old, oldDefinitions: oldDefinitions, new: new, newDefinitions: newDefinitions)
            }
        }
        let transitions = TransitionTable(from: before, to: after).transitions
        let isRerandomised = (differences?.isRerandomised ?? false) && after.isRandomised && before.isRandomised
        experiment = key
        isOld = old != nil
        isNew = new != nil
        changes = differences?.lines ?? [new == nil ? "the experiment is removed" : "the experiment is new"]
        audience = before.audienceChange(to: after)
        isRandomisedBefore = before.isRandomised
        warnings =
            new.map {
                carryOver.warnings(of: $0, before: old, transitions, after: after, isRerandomised: isRerandomised)
            } ?? []
        self.isRerandomised = isRerandomised
        self.transitions = transitions
        self.settings = settings.changes(transitions, old: old, new: new)
        variants = Self.shares(before, after)
    }

    private static func shares(_ before: Enrolment, _ after: Enrolment) -> [VariantShares] {
        let new = zip(after.variants, after.shares)
        let kept = zip(before.variants, before.shares).map { variant, share in
            VariantShares(variant: variant, before: share, after: new.first { $0.0 == variant }?.1)
        }
        let added = new.filter { !before.variants.contains($0.0) }.map {
            VariantShares(variant: $0.0, before: nil, after: $0.1)
        }
        return kept + added
    }
}
