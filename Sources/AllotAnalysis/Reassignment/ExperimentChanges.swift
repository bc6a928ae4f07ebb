import Allot
import AllotConfiguration

/// What differs between two definitions of one experiment, for people: one short line for each thing.
struct ExperimentChanges {
    let old: ExperimentDefinition
    let oldDefinitions: DefinitionsIndex
    let new: ExperimentDefinition
    let newDefinitions: DefinitionsIndex

    var lines: [String] {
        definition + variants + forced + surroundings
    }

    /// Whether every unit is randomised anew.
    var isRerandomised: Bool {
        old.salt != new.salt || !UTF8Order.areEqual(old.unit, new.unit)
    }

    private var definition: [String] {
        [
            change("status", old.status.rawValue, new.status.rawValue),
            change("winner", old.winner, new.winner),
            change("unit", old.unit, new.unit),
            change("salt", old.salt.text, new.salt.text),
            change("layer", old.layer, new.layer),
            change("slots", Self.text(old.slots), Self.text(new.slots)),
            change("traffic", Percentage.text(ofBuckets: old.traffic), Percentage.text(ofBuckets: new.traffic)),
            change("starts", old.starts?.description, new.starts?.description),
            change("ends", old.ends?.description, new.ends?.description),
            old.audience.canonical == new.audience.canonical ? nil : "the audience changed",
            change("requires", Self.text(old.requirements), Self.text(new.requirements)),
        ].compactMap { $0 }
    }

    private var variants: [String] {
        var lines: [String] = []
        for variant in old.variants {
            guard let other = new.variants.first(where: { $0.key == variant.key }) else {
                lines.append("variant \(variant.key) removed")
                continue
            }
            if variant.buckets != other.buckets {
                let shares = [variant, other].map { Percentage.text(ofBuckets: BucketSet($0.buckets).count) }
                lines.append(
                    "variant \(variant.key): "
                        + (shares[0] == shares[1] ? "other buckets, still \(shares[0])" : "\(shares[0]) → \(shares[1])")
                )
            }
            if variant.overrides != other.overrides { lines.append("variant \(variant.key): other overrides") }
        }
        for variant in new.variants where !old.variants.contains(where: { $0.key == variant.key }) {
            lines.append(
                "variant \(variant.key) added, \(Percentage.text(ofBuckets: BucketSet(variant.buckets).count))")
        }
        return lines
    }

    private var forced: [String] {
        guard old.forcesUnits || new.forcesUnits else { return [] }
        let (before, after) = (Self.forced(old), Self.forced(new))
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        let lines = changed.prefix(Self.forcedShown).map { unit in
            "forced unit \(QuotedText(unit.text)): \(before[unit] ?? "none") → \(after[unit] ?? "none")"
        }
        return lines
            + (changed.count > Self.forcedShown ? ["and \(changed.count - Self.forcedShown) more forced units"] : [])
    }

    private static let forcedShown = 10

    private static func forced(_ experiment: ExperimentDefinition) -> [UTF8Key: String] {
        guard experiment.forcesUnits else { return [:] }
        return Dictionary(
            experiment.forced.map { (UTF8Key($0.unitID), $0.variant) }, uniquingKeysWith: { first, _ in first })
    }

    /// What changed outside the experiment's own file and decides it too.
    private var surroundings: [String] {
        var lines: [String] = []
        if let name = old.layer, name == new.layer {
            if let before = oldDefinitions.layer(name), let after = newDefinitions.layer(name) {
                lines += [
                    change("salt of the layer \(name)", before.salt.text, after.salt.text),
                    change("unit of the layer \(name)", before.unit, after.unit),
                ].compactMap { $0 }
            }
        }
        return lines + holdoutChanges
    }

    private var holdoutChanges: [String] {
        let (before, after) = (holdouts(oldDefinitions, old), holdouts(newDefinitions, new))
        return Set(before.keys).union(after.keys).sorted().flatMap { name -> [String] in
            let what = "holdout \(name.text):"
            switch (before[name], after[name]) {
            case (let old?, let new?):
                return [
                    change(
                        what, Percentage.text(ofBuckets: old.share), Percentage.text(ofBuckets: new.share)),
                    change("\(what) salt", old.salt.text, new.salt.text), change("\(what) unit", old.unit, new.unit),
                ].compactMap { $0 }
            case (nil, let new?):
                return ["\(what) \(Percentage.text(ofBuckets: new.share)) of its units are now held out"]
            default: return ["\(what) no longer covers it"]
            }
        }
    }

    private func holdouts(_ definitions: DefinitionsIndex, _ experiment: ExperimentDefinition) -> [UTF8Key:
        HoldoutDefinition]
    {
        Dictionary(
            definitions.definitions.holdouts.filter { $0.covers(experiment) }.map { (UTF8Key($0.name), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    private func change(_ name: String, _ before: String?, _ after: String?) -> String? {
        let texts = (before ?? "", after ?? "")
        guard !UTF8Order.areEqual(texts.0, texts.1) else { return nil }
        return "\(name) \(texts.0.isEmpty ? "none" : texts.0) → \(texts.1.isEmpty ? "none" : texts.1)"
    }

    static func text(_ ranges: [Range<Int>]) -> String {
        ranges.map(BucketRange.percentText).joined(separator: " ")
    }

    private static func text(_ requirements: [ExperimentDefinition.Requirement]) -> String {
        requirements.map { requirement in
            "\(requirement.experiment): \(requirement.variants.sorted(by: UTF8Order.precedes).joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}
