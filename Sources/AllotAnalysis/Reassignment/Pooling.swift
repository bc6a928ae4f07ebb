import AllotConfiguration
import AllotCore

/// Whether results of an experiment from before and after a change of its definition can be analysed together.
///
/// They can as long as a unit's variant does not depend on when it came: salt, unit, variants and their ranges are the
/// same. More or fewer units may be enrolled, since the ratio of the variants stays.
package struct Pooling: Sendable {
    package let isPossible: Bool
    /// Whether a variant has other buckets, so that periods of different shares would be mixed.
    let mixesShares: Bool
    /// The reasons against pooling; if there are none, those for it.
    package let reasons: [String]

    /// Compares two definitions of one experiment; the new one is `nil` if the change removed it.
    package init(from old: ExperimentDefinition, to new: ExperimentDefinition?) {
        guard let new else {
            (isPossible, mixesShares, reasons) = (false, false, ["the experiment ends here"])
            return
        }
        let obstacles = Self.obstacles(old, new)
        isPossible = obstacles.isEmpty
        mixesShares =
            old.draw != nil && new.draw != nil
            && BeforeAndAfter.pairs(Self.variants(old), Self.variants(new)).contains {
                $0.before?.buckets ?? [] != $0.after?.buckets ?? []
            }
        guard obstacles.isEmpty else {
            reasons = obstacles
            return
        }
        let isOtherAudience = old.audience.canonical != new.audience.canonical
        reasons =
            ["salt, variants and their ranges are the same"]
            + (isOtherAudience ? ["the result is then an average over both audiences"] : [])
    }

    package var text: String {
        (isPossible ? "can be pooled across this change: " : "must not be pooled across this change: ")
            + reasons.joined(separator: "; ")
    }

    private static func obstacles(_ old: ExperimentDefinition, _ new: ExperimentDefinition) -> [String] {
        var obstacles = randomised(old.draw != nil, new.draw != nil)
        if let before = old.draw, let after = new.draw { obstacles = Self.obstacles(before, after) }
        for variant in BeforeAndAfter.pairs(variants(old), variants(new)) {
            switch (variant.before, variant.after) {
            case (let before?, let after?):
                if old.draw != nil, new.draw != nil, before.buckets != after.buckets {
                    obstacles.append(
                        "the ranges of \(variant.name) have changed, so when a unit came also decides its variant")
                }
                if before.overrides != after.overrides { obstacles.append("\(variant.name) overrides something else") }
            case (nil, _): obstacles.append("the variant \(variant.name) is new")
            default: obstacles.append("the variant \(variant.name) is removed")
            }
        }
        if ExperimentChanges.text(old.requirements) != ExperimentChanges.text(new.requirements) {
            obstacles.append("the required variants are others, so its units are others")
        }
        return obstacles + randomised(old.status != .concluded, new.status != .concluded)
    }

    private static func randomised(_ isBefore: Bool, _ isAfter: Bool) -> [String] {
        switch (isBefore, isAfter) {
        case (true, true): []
        case (true, false): ["units are not randomised after it"]
        case (false, true): ["units were not randomised before it"]
        case (false, false): ["units are not randomised before and after it"]
        }
    }

    private static func obstacles(_ old: UnitDraw, _ new: UnitDraw) -> [String] {
        var obstacles: [String] = []
        if case (.sha256(let before), .sha256(let after)) = (old.hash, new.hash) {
            if before != after {
                obstacles.append("the salt is new, so every unit is randomised anew (\(before) → \(after))")
            }
        } else if old.hash != new.hash {
            obstacles.append(
                "the hash is another, so every unit is randomised anew (\(old.hash.text) → \(new.hash.text))")
        }
        if !UTF8Order.areEqual(old.unit, new.unit) {
            obstacles.append("another unit is randomised (\(QuotedText(old.unit)) → \(QuotedText(new.unit)))")
        }
        if old.period != new.period {
            let texts = [old, new].map { $0.period?.text ?? "none" }
            obstacles.append("the period is another, so every unit is randomised anew (\(texts[0]) → \(texts[1]))")
        }
        return obstacles
    }

    private static func variants(_ experiment: ExperimentDefinition) -> [UTF8Key: VariantDefinition] {
        Dictionary(byName: experiment.variants.map { ($0.key, $0) })
    }
}
