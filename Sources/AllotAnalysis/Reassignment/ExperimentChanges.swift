import AllotConfiguration
import AllotCore

/// The differences between two definitions of one experiment, for people: one short line for each.
struct ExperimentChanges {
    let old: ExperimentDefinition
    let oldDefinitions: DefinitionsIndex
    let new: ExperimentDefinition
    let newDefinitions: DefinitionsIndex

    var lines: [String] { definition + variants + forced + surroundings }

    var isRerandomised: Bool {
        old.hash != new.hash || old.unit.map(UTF8Key.init) != new.unit.map(UTF8Key.init)
            || old.draw?.period != new.draw?.period
    }

    private var definition: [String] {
        [
            change("status", old.status.rawValue, new.status.rawValue),
            change("winner", old.winner, new.winner),
            change("unit", old.unit, new.unit), subjectsWithoutID,
            hashChange("", old.hash, new.hash),
            old.draw?.period == new.draw?.period
                ? nil : change("period", old.draw?.period?.text, new.draw?.period?.text),
            change("layer", old.layer, new.layer),
            change("slots", slots(old, oldDefinitions.layer(old.layer)), slots(new, newDefinitions.layer(new.layer))),
            // Equal instants with different offsets are not a change.
            old.traffic == new.traffic ? nil : change("traffic", old.traffic.text, new.traffic.text),
            old.starts == new.starts ? nil : change("starts", old.starts?.writtenText, new.starts?.writtenText),
            old.ends == new.ends ? nil : change("ends", old.ends?.writtenText, new.ends?.writtenText),
            old.audience.canonical == new.audience.canonical ? nil : "the audience changed",
            change("requires", Self.text(old.requirements), Self.text(new.requirements)),
        ].compactMap { $0 }
    }

    /// The subjects that gain or lose something because units are randomised on one side only. Shares are those of
    /// units with IDs.
    private var subjectsWithoutID: String? {
        switch (old.unit, new.unit) {
        case (let unit?, nil): "no longer randomised: subjects without \(QuotedText(unit)) are in it too"
        case (nil, let unit?): "randomised now: subjects without \(QuotedText(unit)) are no longer in it"
        default: nil
        }
    }

    private var variants: [String] {
        var lines: [String] = []
        for variant in old.variants {
            guard let other = new.variants.first(where: { $0.key == variant.key }) else {
                lines.append("variant \(variant.key) removed")
                continue
            }
            if let change = bucketChange(variant, other) { lines.append("variant \(variant.key): \(change)") }
            if variant.overrides != other.overrides { lines.append("variant \(variant.key): other overrides") }
        }
        for variant in new.variants where !old.variants.contains(where: { $0.key == variant.key }) {
            let share = new.hash?.percentage(of: BucketSet(variant.buckets).count) ?? "for everyone in the audience"
            lines.append("variant \(variant.key) added, \(share)")
        }
        return lines
    }

    /// The difference of a variant's buckets; for two numbers of buckets that of the share.
    private func bucketChange(_ variant: VariantDefinition, _ other: VariantDefinition) -> String? {
        // Without a draw on one side the line of the unit says what differs.
        guard let before = old.hash, let after = new.hash else { return nil }
        let isSameScale = before.resolution == after.resolution
        let counts = [variant, other].map { BucketSet($0.buckets).count }
        let isSameShare =
            ExactShare(buckets: counts[0], resolution: before.resolution)
            == ExactShare(buckets: counts[1], resolution: after.resolution)
        guard !isSameShare else {
            return isSameScale && variant.buckets != other.buckets
                ? "other buckets, still \(before.percentage(of: counts[0]))" : nil
        }
        return "\(before.percentage(of: counts[0])) → \(after.percentage(of: counts[1]))"
    }

    private func slots(_ experiment: ExperimentDefinition, _ layer: LayerDefinition?) -> String? {
        layer?.hash.text(experiment.slots)
    }

    private func hashChange(_ what: String, _ before: UnitHash?, _ after: UnitHash?) -> String? {
        guard let before, let after else { return nil }
        if case (.sha256, .sha256) = (before, after) { return change("salt\(what)", before.salt, after.salt) }
        return before == after ? nil : "hash\(what) \(before.text) → \(after.text)"
    }

    private var forced: [String] {
        let changed = BeforeAndAfter.pairs(Self.forced(old), Self.forced(new)).filter { $0.before != $0.after }
        let lines = changed.prefix(Self.forcedShown).map { unit in
            "forced unit \(QuotedText(unit.name)): \(unit.before ?? "none") → \(unit.after ?? "none")"
        }
        return lines
            + (changed.count > Self.forcedShown ? ["and \(changed.count - Self.forcedShown) more forced units"] : [])
    }

    private static let forcedShown = 10

    private static func forced(_ experiment: ExperimentDefinition) -> [UTF8Key: String] {
        experiment.forcesUnits ? Dictionary(byName: experiment.forced.map { ($0.unitID, $0.variant) }) : [:]
    }

    private var surroundings: [String] {
        var lines: [String?] = []
        if let name = old.layer, name == new.layer, let before = oldDefinitions.layer(name),
            let after = newDefinitions.layer(name)
        {
            lines = [
                hashChange(" of the layer \(name)", before.hash, after.hash),
                change("unit of the layer \(name)", before.unit, after.unit),
            ]
        }
        for holdout in BeforeAndAfter.pairs(holdouts(oldDefinitions, old), holdouts(newDefinitions, new)) {
            let what = "holdout \(holdout.name):"
            switch (holdout.before, holdout.after) {
            case (let old?, let new?):
                lines += [
                    change(what, old.hash.percentage(of: old.share), new.hash.percentage(of: new.share)),
                    hashChange(" of the holdout \(holdout.name)", old.hash, new.hash),
                    change("\(what) unit", old.unit, new.unit),
                ]
            case (nil, let new?):
                lines.append("\(what) \(new.hash.percentage(of: new.share)) of its units are now held out")
            default: lines.append("\(what) no longer covers it")
            }
        }
        return lines.compactMap(\.self)
    }

    private func holdouts(
        _ definitions: DefinitionsIndex, _ experiment: ExperimentDefinition
    ) -> [UTF8Key: HoldoutDefinition] {
        let covering = definitions.definitions.holdouts.filter { $0.covers(experiment) }
        return Dictionary(byName: covering.map { ($0.name, $0) })
    }

    private func change(_ name: String, _ before: String?, _ after: String?) -> String? {
        let texts = (before ?? "", after ?? "")
        guard !UTF8Order.areEqual(texts.0, texts.1) else { return nil }
        return "\(name) \(texts.0.isEmpty ? "none" : texts.0) → \(texts.1.isEmpty ? "none" : texts.1)"
    }

    static func text(_ requirements: [ExperimentDefinition.Requirement]) -> String {
        requirements.map { requirement in
            let admitted =
                switch requirement.admitted {
                case .variants(let variants): variants.sorted(by: UTF8Order.precedes).joined(separator: ", ")
                case .noVariant: "no variant"
                }
            return "\(requirement.experiment): \(admitted)"
        }.joined(separator: "; ")
    }
}
