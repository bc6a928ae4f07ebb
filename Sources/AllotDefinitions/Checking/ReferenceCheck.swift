import Allot
import AllotConfiguration

/// Checks what names one definition uses of another, and what only all of them together show.
struct ReferenceCheck {
    let layers: [Located<LayerDefinition>]
    let holdouts: [Located<HoldoutDefinition>]
    let experiments: [ExperimentFile]
    let now: Instant

    /// All that is wrong.
    func problems() -> [Problem] {
        names() + cycle() + SaltCheck(layers: layers, holdouts: holdouts, experiments: experiments).problems() + ageing()
    }

    private func problem(
        _ experiment: ExperimentFile, _ message: String, at field: Field, atKey: Bool = false,
        severity: Problem.Severity = .error
    ) -> Problem {
        Problem(
            severity: severity, file: experiment.file, position: atKey ? field.keyPosition : field.position,
            message: message, path: field.path.isRoot ? nil : field.path.description)
    }

    private func names() -> [Problem] {
        var problems: [Problem] = []
        let layerNames = Set(layers.map(\.value.name))
        let byKey = Dictionary(experiments.map { ($0.definition.key, $0) }, uniquingKeysWith: { first, _ in first })
        for experiment in experiments {
            if let layer = experiment.definition.layer, !layerNames.contains(layer), let field = experiment.places.layer {
                let hint = FileReader.hint(layer, Array(layerNames), what: "the layers are")
                problems.append(problem(experiment, "unknown layer \(QuotedText(layer)); \(hint)", at: field))
            }
            for requirement in experiment.definition.requirements where byKey[requirement.experiment] == nil {
                guard let field = experiment.places.requirements[UTF8Key(requirement.experiment)] else { continue }
                let hint = FileReader.hint(requirement.experiment, Array(byKey.keys), what: "the experiments are")
                problems.append(
                    problem(
                        experiment, "unknown experiment \(QuotedText(requirement.experiment)) is required; \(hint)", at: field,
                        atKey: true))
            }
            for entry in experiment.places.requiredVariants {
                guard let target = byKey[entry.experiment]?.definition.variants.map(\.key), !target.contains(entry.variant)
                else { continue }
                let hint = FileReader.hint(entry.variant, target, what: "its variants are")
                problems.append(
                    problem(
                        experiment, "\(entry.experiment) has no variant \(QuotedText(entry.variant)); \(hint)", at: entry.field))
            }
        }
        for holdout in holdouts {
            for name in holdout.value.scope?.experiments ?? [] where byKey[name] == nil {
                let hint = FileReader.hint(name, Array(byKey.keys), what: "the experiments are")
                problems.append(holdout.problem("unknown experiment \(QuotedText(name)) is to be covered; \(hint)"))
            }
            for name in holdout.value.scope?.layers ?? [] where !layerNames.contains(name) {
                let hint = FileReader.hint(name, Array(layerNames), what: "the layers are")
                problems.append(holdout.problem("unknown layer \(QuotedText(name)) is to be covered; \(hint)"))
            }
        }
        return problems
    }

    private func cycle() -> [Problem] {
        let cycle = EvaluationOrder(experiments.map(\.definition)).cycle
        guard let first = cycle.first, let second = cycle.dropFirst().first ?? cycle.first else { return [] }
        let keys = (cycle + [first]).map { experiments[$0].definition.key }
        let target = UTF8Key(experiments[second].definition.key)
        let field = experiments[first].places.requirements[target] ?? experiments[first].places.root
        let message = "requirements go in a circle: \(keys.joined(separator: " requires ")); remove one of them"
        return [problem(experiments[first], message, at: field, atKey: true)]
    }

    /// Definitions that have outlived their purpose.
    private func ageing() -> [Problem] {
        experiments.flatMap { experiment -> [Problem] in
            let definition = experiment.definition
            var problems: [Problem] = []
            if definition.status == .running, let ends = definition.ends, ends <= now, let field = experiment.places.ends {
                problems.append(
                    problem(
                        experiment, "the experiment ended at \(ends); conclude it", at: field, severity: .warning))
            }
            if let winner = definition.winner, let field = experiment.places.winner,
                let variant = definition.variants.first(where: { $0.key == winner }), !variant.overrides.isEmpty
            {
                problems.append(
                    problem(
                        experiment,
                        "the winner \(winner) should move into the base: copy its overrides there and delete this file",
                        at: field, severity: .warning))
            }
            return problems
        }
    }
}
