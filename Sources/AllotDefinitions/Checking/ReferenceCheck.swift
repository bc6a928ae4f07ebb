import AllotConfiguration
import AllotCore

/// Checks the names by which definitions refer to each other, and whatever needs all definitions together.
struct ReferenceCheck {
    private let all: DefinitionsCheck
    private let indices: [UTF8Key: Int]
    private var keyHints: NameHints
    private var layerHints: NameHints

    init(_ all: DefinitionsCheck) {
        self.all = all
        indices = all.experiments.indicesByKey
        keyHints = NameHints(all.keys, what: "the experiments are")
        layerHints = NameHints(all.layers.names, what: "the layers are")
    }

    mutating func problems() -> [DefinitionProblem] {
        names() + coverage() + idleHoldouts() + cycles() + outdated() + defects() + SaltCheck(all: all).problems()
    }

    // MARK: Names

    private mutating func names() -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        for experiment in all.experiments {
            if let layer = experiment.definition.layer, all.layers.names.lacks(layer),
                let field = experiment.places.layer
            {
                problems.append(experiment.problem(at: field, unknownLayer(layer)))
            }
            if let problem = unitOfLayer(experiment) { problems.append(problem) }
            for (name, field) in experiment.places.requirements where all.keys.lacks(name.text) {
                let message = "unknown experiment \(QuotedText(name.text)) is required; \(keyHints.hint(name.text))"
                problems.append(experiment.problem(at: field, atKey: true, message))
            }
            for entry in experiment.places.requiredVariants {
                guard let target = indices[UTF8Key(entry.experiment)], all.experiments[target].hasAllVariants
                else { continue }
                let variants = all.experiments[target].definition.variants.map(\.key)
                guard !variants.contains(where: { UTF8Order.areEqual($0, entry.variant) }) else { continue }
                let hint =
                    entry.variant == "none"
                    ? "for units without a variant of it write none without brackets"
                    : FileReader.hint(entry.variant, variants, what: "its variants are")
                problems.append(
                    experiment.problem(
                        at: entry.field, "\(entry.experiment) has no variant \(QuotedText(entry.variant)); \(hint)"))
            }
        }
        return problems
    }

    /// The problem of a unit of several attributes that is another one in the layer: slots would not be of its units.
    private func unitOfLayer(_ experiment: ExperimentFile) -> DefinitionProblem? {
        guard let name = experiment.definition.layer, let unit = experiment.definition.unit,
            let layer = all.layers.layers.first(where: { UTF8Order.areEqual($0.value.name, name) })?.value,
            CompositeUnit.isName(unit) || CompositeUnit.isName(layer.unit), !UTF8Order.areEqual(unit, layer.unit)
        else { return nil }
        return experiment.problem(
            at: experiment.places.unit ?? experiment.places.layer,
            "the unit is \(unit), and that of the layer \(name) is \(layer.unit); name the same attributes in the same "
                + "order in both")
    }

    private mutating func unknownLayer(_ layer: String, _ place: String = "") -> String {
        "unknown layer \(QuotedText(layer))\(place)"
            + (all.layers.isGiven ? "; \(layerHints.hint(layer))" : ", as there is no layers file; add layers.yaml")
    }

    /// Experiments and layers that a holdout covers and that do not exist, and experiments without a unit to hold out.
    private mutating func coverage() -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        for name in all.holdouts.experiments {
            if all.keys.lacks(name.value) {
                let message = "unknown experiment \(QuotedText(name.value)) in a holdout; \(keyHints.hint(name.value))"
                problems.append(name.problem(message))
            } else if let index = indices[UTF8Key(name.value)], all.experiments[index].definition.draw == nil {
                let message =
                    "\(name.value) has unit: none, so there is no unit to hold out; remove it from the holdout"
                problems.append(name.problem(message))
            }
        }
        for name in all.holdouts.layers where all.layers.names.lacks(name.value) {
            problems.append(name.problem(unknownLayer(name.value, " in a holdout")))
        }
        return problems
    }

    /// Holdouts that hold out no unit, where everything that decides so could be read.
    private func idleHoldouts() -> [DefinitionProblem] {
        // A folder may begin with its holdouts.
        guard !all.experiments.isEmpty, all.keys.isComplete, all.keys.names.count == all.experiments.count,
            all.experiments.allSatisfy(\.isComparable)
        else { return [] }
        return all.holdouts.holdouts.compactMap { holdout in
            let isCovering = all.experiments.contains { holdout.value.covers($0.definition) }
            let cause: String
            switch holdout.value.scope {
            case _ where holdout.value.share == 0: cause = "its share is 0%; raise it, or remove the holdout"
            case nil where !isCovering && holdout.value.unit != UnitContract.noUnit:
                cause =
                    "no experiment is on \(QuotedText(holdout.value.unit)); correct its unit, or list experiments or "
                    + "layers"
            case let scope?
            where !isCovering && scope.experiments.isEmpty && !scope.layers.isEmpty
                && !scope.layers.contains(where: all.layers.names.lacks):
                cause = "no experiment is in its layers; list others, or experiments"
            default: return nil
            }
            return holdout.problem("the holdout holds out no unit: \(cause)", .warning)
        }
    }

    // MARK: Requirements

    private func cycles() -> [DefinitionProblem] {
        all.experiments.requirements(indices).cycles.map { cycle in
            let first = all.experiments[cycle[0]]
            let keys = (cycle + cycle.prefix(1)).map { all.experiments[$0].definition.key }
            return first.problem(
                at: first.places.requirements[UTF8Key(keys[1])], atKey: true,
                "requirements form a cycle: \(keys.joined(separator: " requires ")); remove one of them")
        }
    }

    // MARK: Outdated definitions

    /// Warnings about definitions that have outlived their purpose.
    private func outdated() -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        for experiment in all.experiments {
            if let ends = experiment.definition.ends, ends <= all.now, let field = experiment.places.ends,
                let fix = Self.fixOfPastEnd(experiment)
            {
                problems.append(
                    experiment.problem(.warning, at: field, "the experiment ended at \(ends.writtenText); \(fix)"))
            }
            if let winner = experiment.definition.winner, let field = experiment.places.winner,
                let variant = experiment.definition.variants.first(where: { $0.key == winner }),
                !variant.overrides.isEmpty
            {
                let message =
                    "the winner \(winner) should move into the base: copy its overrides there and delete this file"
                problems.append(experiment.problem(.warning, at: field, message))
            }
        }
        return problems
    }

    /// Warnings about hashes with known defects, of experiments that have not begun. One that runs keeps its variants.
    private func defects() -> [DefinitionProblem] {
        all.experiments.compactMap { experiment in
            guard experiment.places.status != nil, experiment.hasHash, let scheme = experiment.definition.hash?.scheme,
                let defect = scheme.defect
            else { return nil }
            let definition = experiment.definition
            guard
                definition.status == .draft
                    || (definition.status == .running && definition.starts.map { $0 > all.now } ?? false)
            else { return nil }
            return experiment.problem(
                .warning, at: experiment.places.hash,
                "\(scheme.rawValue) has a known defect: \(defect); it is for experiments that run "
                    + "elsewhere already, so remove the hash")
        }
    }

    private static func fixOfPastEnd(_ experiment: ExperimentFile) -> String? {
        guard experiment.places.status != nil else { return nil }
        return switch experiment.definition.status {
        case .running, .paused: "set status: concluded, or move the end"
        case .draft: "a draft past its end can never run, so move the end"
        case .concluded: nil
        }
    }
}
