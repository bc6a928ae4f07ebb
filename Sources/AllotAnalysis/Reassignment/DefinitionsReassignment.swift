import AllotConfiguration
import AllotCore

/// The effect of a change of definitions on units: for every experiment the shares of units that enter, leave, stay and
/// move, and the settings that change for them.
///
///     let change = DefinitionsReassignment(from: released, to: edited, at: .now)
///     for experiment in change.experiments { print(experiment.experiment, experiment.share(.moves)) }
public struct DefinitionsReassignment: Sendable {
    /// Every experiment of before or after, in the order of their keys.
    public let experiments: [ExperimentReassignment]
    let base: [SettingChange]
    /// The changes of layers and holdouts, for people.
    let surroundings: [String]

    /// Compares two plans at an instant; with a key only that experiment and those that it requires.
    ///
    /// Complexity: for each experiment O(variants before × variants after × ranges of what it and those that it
    /// requires depend on).
    public init(
        from oldPlan: Plan, to newPlan: Plan, at instant: Instant, only key: String? = nil,
        salts: [String: String] = [:]
    ) {
        let (old, new) = (oldPlan.definitions, newPlan.definitions)
        let (before, after) = (DefinitionsIndex(old), DefinitionsIndex(new))
        let wanted = key.map { key in
            let requirements = [before, after].flatMap { $0.experiment(key)?.requirements ?? [] }
            return Set([UTF8Key(key)] + requirements.map { UTF8Key($0.experiment) })
        }
        let pairs = BeforeAndAfter.pairs(before.experiments, after.experiments).filter {
            wanted?.contains(UTF8Key($0.name)) ?? true
        }.map { ExperimentPair($0, from: before, to: after, in: newPlan, at: instant) }
        let changing = Set(pairs.filter(\.changesUnits).map { UTF8Key($0.key) })
        let settings = SettingComparison(oldBase: old.base, newBase: new.base)
        let carryOver = CarryOver(old: before, new: after, instant: instant, salts: salts)
        var oldEvaluator = Evaluator(plan: oldPlan, at: instant)
        var newEvaluator = Evaluator(plan: newPlan, at: instant)
        experiments = pairs.map { pair in
            let examples = pair.examples(&oldEvaluator, &newEvaluator)
            return ExperimentReassignment(pair, examples, changing: changing, settings, carryOver)
        }
        base = settings.ofBase
        surroundings =
            Self.changes("layer", old.layers, new.layers) { ($0.name, "\($0.hash.words), unit \($0.unit)") }
            + Self.changes("holdout", old.holdouts, new.holdouts) {
                ($0.name, "\($0.hash.percentage(of: $0.share)), \($0.hash.words), unit \($0.unit)")
            }
    }

    private static func changes<Definition>(
        _ kind: String, _ old: [Definition], _ new: [Definition], _ words: (Definition) -> (String, String)
    ) -> [String] {
        BeforeAndAfter.pairs(Dictionary(byName: old.map(words)), Dictionary(byName: new.map(words))).compactMap {
            pair in
            switch (pair.before, pair.after) {
            case (let old?, let new?): old == new ? nil : "\(kind) \(pair.name): (\(old)) → (\(new))"
            case (let old?, nil): "\(kind) \(pair.name) removed (\(old))"
            default: "\(kind) \(pair.name) added (\(pair.after ?? ""))"
            }
        }
    }
}

extension ExperimentReassignment {
    fileprivate init(
        _ pair: ExperimentPair, _ examples: (leaving: String?, entering: String?), changing: Set<UTF8Key>,
        _ settings: SettingComparison, _ carryOver: CarryOver
    ) {
        let required = pair.sharedRequirements.filter { changing.contains(UTF8Key($0)) }
        experiment = pair.key
        owner = pair.new?.owner ?? pair.old?.owner
        changes =
            (pair.differences?.lines ?? [pair.new == nil ? "the experiment is removed" : "the experiment is new"])
            + required.map { "the required experiment \($0) changes" }
        transitions = pair.transitions
        returning = pair.returning
        forcedMoves = pair.forcedMoves
        audience = pair.audience
        (leavingExample, enteringExample) = examples
        fallingSteps = pair.fallingSteps
        isRandomisedBefore = pair.before.isRandomised
        isRerandomised = pair.isRerandomised
        self.carryOver = pair.carryingOver(settings, at: carryOver.instant)
        let openShares = "the shares are not exact: two resolutions of one hash have no common one"
        warnings = carryOver.warnings(of: pair, carrying: self.carryOver) + (pair.hasOpenShares ? [openShares] : [])
        self.settings = settings.changes(pair.transitions, old: pair.old, new: pair.new)
        variants = Self.shares(pair.before, pair.after)
    }

    private static func shares(_ before: AssignmentRegions, _ after: AssignmentRegions) -> [VariantShares] {
        let new = zip(after.variants, after.shares)
        let kept = zip(before.variants, before.shares).map { variant, share in
            VariantShares(variant: variant, before: share, after: new.first { $0.0 == variant }?.1)
        }
        return kept
            + new.filter { !before.variants.contains($0.0) }.map { .init(variant: $0.0, before: nil, after: $0.1) }
    }
}
