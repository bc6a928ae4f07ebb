import AllotConfiguration
import AllotCore

/// Finds conflicts: two experiments that override the same setting and that one unit could be in at one instant. Only
/// experiments that share a setting are compared. ``OverlapProof`` has the proofs that no unit can be in both.
struct ConflictCheck {
    private let experiments: [ExperimentFile]
    private var proof: OverlapProof
    private let settings: OverrideIndex

    init(_ experiments: [ExperimentFile], _ definitions: [ExperimentDefinition], settings: OverrideIndex) {
        (self.experiments, self.settings) = (experiments, settings)
        proof = OverlapProof(definitions)
    }

    mutating func problems() -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        for later in experiments.indices where experiments[later].isComparable {
            var found = BoundedProblems(of: experiments[later], "conflict")
            for earlier in settings.rivals(of: later, before: later) where experiments[earlier].isComparable {
                // Requirements are looked up first: comparing two audiences with long lists takes much longer.
                let collisions = collisions(earlier, later)
                guard !collisions.isEmpty, proof.separation(of: earlier, later) == nil else { continue }
                let example = found.isFull ? nil : proof.example(of: earlier, later)?.attributeWords
                for pair in collisions { found.add(conflict(earlier, later, pair, example)) }
            }
            problems += found.problems
        }
        return problems
    }

    // MARK: Collisions

    private typealias Override = OverrideIndex.Override

    /// For each setting that both override, the first two overlapping overrides of variants that one unit could be
    /// assigned together.
    private func collisions(_ first: Int, _ second: Int) -> [(Override, Override)] {
        settings.shared(first, second).compactMap { left, right in
            for one in left {
                for other in right where SettingPath.overlap(one.path, other.path) {
                    if canBeAssignedBoth(first, one.variant, second, other.variant) { return (one, other) }
                }
            }
            return nil
        }
    }

    /// Whether neither experiment requires another variant of the other one, or none.
    private func canBeAssignedBoth(_ first: Int, _ left: Int, _ second: Int, _ right: Int) -> Bool {
        func admits(_ experiment: Int, _ other: Int, _ variant: Int) -> Bool {
            let requirements = experiments[experiment].definition.requirements
            if requirements.isEmpty { return true }
            let target = experiments[other].definition
            return requirements.first { $0.experiment == target.key }?.admits(target.variants[variant].key) ?? true
        }
        return admits(first, second, right) && admits(second, first, left)
    }

    /// - Parameter example: The attributes of a unit that could be in both, in words.
    private func conflict(
        _ earlier: Int, _ later: Int, _ pair: (Override, Override), _ example: String?
    ) -> DefinitionProblem {
        let (first, second) = (experiments[earlier], experiments[later])
        let path = pair.0.path.count >= pair.1.path.count ? pair.0.path : pair.1.path
        let place = second.places.override(pair.1.path, variant: pair.1.variant)
        let other = first.places.override(pair.0.path, variant: pair.0.variant)
        let (one, two) = (first.definition, second.definition)
        let unit = example.map { "one unit (with \($0))" } ?? "one unit"
        return second.problem(
            at: place, atKey: true,
            "conflict: \(two.key) (variant \(two.variants[pair.1.variant].key)) and \(one.key) "
                + "(variant \(one.variants[pair.0.variant].key), \(first.file):\(other.keyPosition)) both override "
                + "\(SettingPath.text(path)), and \(unit) could be in both; " + Self.fix(one, two)
                + Self.owners([one, two]))
    }

    private static func owners(_ experiments: [ExperimentDefinition]) -> String {
        let owners = experiments.compactMap { experiment in experiment.owner.map { "\($0) owns \(experiment.key)" } }
        return owners.isEmpty ? "" : " (\(owners.joined(separator: ", ")))"
    }

    /// The ways to keep two experiments apart.
    private static func fix(_ first: ExperimentDefinition, _ second: ExperimentDefinition) -> String {
        let concluded = [second, first].filter { $0.status == .concluded }.map(\.key)
        if let key = concluded.first {
            return "\(key) is concluded, so slots and schedules do not limit its winner: move the winner into the base "
                + "and delete \(key), or give them disjoint audiences"
        }
        if let layer = first.layer, layer == second.layer {
            return "give them disjoint slots of the layer \(layer), or disjoint audiences or schedules"
        }
        guard first.draw != nil, second.draw != nil else {
            return "add requires: { \(first.key): none } to \(second.key), or give them disjoint audiences or schedules"
        }
        return "put them into one layer with disjoint slots, or give them disjoint audiences or schedules"
    }
}

extension ExperimentDefinition {
    /// Whether some unit could be assigned a variant, in a draft once it runs.
    func canAssign(variant index: Int) -> Bool {
        // Without any bucket the shares are not known, which is an error of its own.
        canAssign(variant: index, as: status == .draft ? .running : status)
            || (forcesUnits && variants.allSatisfy(\.buckets.isEmpty))
    }
}
