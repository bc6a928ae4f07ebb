import AllotConfiguration
import AllotCore
import AllotReports

/// The carry-over into results of units that were randomised anew, or come from another experiment.
struct CarryOver {
    private let old: DefinitionsIndex
    private let new: DefinitionsIndex
    let instant: Instant
    /// Warnings about salts that are not new to the history, by the keys of experiments.
    private let salts: [String: String]
    /// By layer the experiments that held slots of it, so that units have met their variants.
    private let holders: [UTF8Key: [ExperimentDefinition]]
    /// By dimension the experiments that have randomised units.
    private let randomised: [BucketDimension: [String]]

    init(old: DefinitionsIndex, new: DefinitionsIndex, instant: Instant, salts: [String: String]) {
        (self.old, self.new, self.instant, self.salts) = (old, new, instant, salts)
        var holders: [UTF8Key: [ExperimentDefinition]] = [:]
        var randomised: [BucketDimension: [String]] = [:]
        for experiment in old.definitions.experiments where experiment.status != .draft {
            if let starts = experiment.schedule.starts, instant < starts { continue }
            if let dimension = experiment.dimension { randomised[dimension, default: []].append(experiment.key) }
            if let layer = experiment.layer { holders[UTF8Key(layer), default: []].append(experiment) }
        }
        (self.holders, self.randomised) = (holders, randomised)
    }

    static let advice = "analyse only the new units of each revision, or restart with a new salt"

    func warnings(of pair: ExperimentPair, carrying variants: [String]) -> [String] {
        guard let experiment = pair.new else { return [] }
        var lines = pair.returning.isEmpty ? [] : [Self.returning(pair.returning)]
        if pair.old?.hash != experiment.hash { lines += [salts[experiment.key]].compactMap(\.self) }
        if let before = pair.old {
            lines += mixed(pair.transitions, pair.after)
            if !variants.isEmpty { lines.append(Self.text(of: variants)) }
            if pair.goesOn(at: instant), Pooling(from: before, to: experiment).mixesShares {
                lines.append(ShareChange.advice)
            }
            if pair.isRerandomised { lines += dependants(of: experiment, before) }
            lines += [Self.keptSalt(of: experiment, before)].compactMap(\.self)
        } else if let others = experiment.dimension.flatMap({ randomised[$0] }) {
            let gone = others.filter { new.experiment($0) == nil }
            lines.append(
                gone.isEmpty
                    ? "the salt is that of \(others.joined(separator: ", ")): both split units the same way"
                    : "the salt is that of \(gone.joined(separator: ", ")), which is removed: the same units get "
                        + "the same buckets"
            )
        }
        return lines + (pair.after.isRandomised ? inheritedSlots(experiment, pair.old) : [])
    }

    private static func text(of variants: [String]) -> String {
        let isOne = variants.count == 1
        return "CARRY-OVER: \(variants.listed(atMost: 12)) \(isOne ? "gets" : "get") other settings "
            + "under the same salt, and \(isOne ? "its" : "their") units have met the former ones: \(advice)"
    }

    private static func returning(_ transitions: [ExperimentReassignment.Transition]) -> String {
        let ways = transitions.map(\.text).joined(separator: ", ")
        return "units that it enrolled before and no longer does would come back to another variant: "
            + "\(transitions.share) (\(ways)); give it a salt of its own to begin anew"
    }

    private func mixed(_ transitions: [ExperimentReassignment.Transition], _ after: AssignmentRegions) -> [String] {
        guard after.isRandomised else { return [] }
        return zip(after.variants, after.shares).compactMap { variant, share in
            let moved = transitions.filter { $0.to == variant && $0.kind == .moves }.share
            guard !moved.isNone else { return nil }
            let percent = NumberFormat.roughPart(moved.value / share.value)
            return "carry-over: \(percent) of the units of \(variant) had another variant before"
        }
    }

    /// Another hash or period with the former salt: exposures know a randomisation by its salt.
    private static func keptSalt(of experiment: ExperimentDefinition, _ before: ExperimentDefinition) -> String? {
        guard let draw = experiment.draw, let former = before.draw,
            UTF8Order.areEqual(draw.hash.salt, former.hash.salt),
            let changed = draw.hash.scheme != former.hash.scheme
                ? "hash" : draw.period != former.period ? "period" : nil
        else { return nil }
        return
            "the \(changed) is another and the salt is the same, so exposures of before and after are counted "
            + "together; give it a salt of its own"
    }

    private func dependants(of experiment: ExperimentDefinition, _ before: ExperimentDefinition) -> [String] {
        var lines: [String] = []
        let requiring = new.definitions.experiments.filter { other in
            other.requirements.contains { $0.experiment == experiment.key }
        }.map(\.key)
        if !requiring.isEmpty {
            lines.append(
                "the new randomisation also changes which units can be in \(requiring.joined(separator: ", ")), which "
                    + (requiring.count == 1 ? "requires it" : "require it"))
        }
        let sharing = (before.dimension.flatMap { randomised[$0] } ?? []).filter { $0 != experiment.key }
        if !sharing.isEmpty, let hash = before.hash, hash != experiment.hash {
            lines.append(
                "the salt \(PrintableText(hash.salt)), shared with \(sharing.joined(separator: ", ")), is given up")
        }
        return lines
    }

    /// Slots that an experiment takes over from others, whose variants their units have met.
    private func inheritedSlots(_ experiment: ExperimentDefinition, _ before: ExperimentDefinition?) -> [String] {
        guard let name = experiment.layer, let layer = new.layer(name), let former = old.layer(name) else { return [] }
        let others = (holders[UTF8Key(name)] ?? []).filter { $0.key != experiment.key }
        guard layer.hash == former.hash, UTF8Order.areEqual(layer.unit, former.unit) else {
            let names = others.map(\.key).joined(separator: ", ")
            let text =
                "carry-over: the slots of \(name) are randomised anew, so units come in that have met the variants"
            return others.isEmpty ? [] : ["\(text) of \(names)"]
        }
        let slots = BucketSet(experiment.slots)
        let taken = slots.subtracting(before?.layer == name ? BucketSet(before?.slots ?? []) : .none)
        guard !taken.isEmpty else { return [] }
        return others.compactMap { other in
            let shared = taken.intersection(BucketSet(other.slots)).count
            guard shared > 0 else { return nil }
            return
                "carry-over: \(NumberFormat.roughPart(Double(shared) / Double(slots.count))) of its slots belonged to "
                + "\(other.key), whose variants their units have met; "
                + (other.dimension == experiment.dimension
                    ? "with the same salt they are split the same way again, so give it a salt of its own"
                    : "with another salt that is spread evenly over its variants")
        }
    }
}

extension ExperimentDefinition {
    fileprivate var dimension: BucketDimension? { draw.map { BucketDimension($0, half: .second) } }
}
