import Allot
import AllotConfiguration

/// Finds salts that are used twice: two decisions of one salt are the same decision.
struct SaltCheck {
    let layers: [Located<LayerDefinition>]
    let holdouts: [Located<HoldoutDefinition>]
    let experiments: [ExperimentFile]

    /// The longest salt that, with ":" and a UUID of 36 bytes, fits one SHA-256 block.
    private static let longestForOneBlock = 55 - 36 - 1

    private struct Use {
        let kind: String
        let name: String
        let file: String
        let position: SourcePosition
        let path: String?
    }

    func problems() -> [Problem] {
        var problems: [Problem] = []
        var uses: [String: [Use]] = [:]
        func add(_ salt: Salt, _ use: Use) {
            let others = uses[salt.text] ?? []
            if let other = others.first(where: { $0.kind != use.kind || use.kind != "experiment" }) {
                problems.append(
                    Self.problem(
                        use, .error,
                        "the salt \"\(salt.text)\" of the \(use.kind) \(use.name) is also that of the \(other.kind) \(other.name) "
                            + "(\(other.file):\(other.position)), so their decisions would be one; give one another salt"))
            } else if let other = others.first {
                problems.append(
                    Self.problem(
                        use, .warning,
                        "the salt \"\(salt.text)\" is also that of \(other.name) (\(other.file):\(other.position)), "
                            + "so the same units get the same buckets in both; give one another salt unless you mean it"))
            }
            if salt.text.utf8.count > Self.longestForOneBlock {
                problems.append(
                    Self.problem(
                        use, .warning,
                        "the salt \"\(salt.text)\" has \(salt.text.utf8.count) characters: with a UUID it takes two hash blocks "
                            + "instead of one; \(Self.longestForOneBlock) or fewer are faster"))
            }
            uses[salt.text] = others + [use]
        }
        for layer in layers { add(layer.value.salt, Self.use("layer", layer.value.name, layer)) }
        for holdout in holdouts { add(holdout.value.salt, Self.use("holdout", holdout.value.name, holdout)) }
        for experiment in experiments {
            let field = experiment.places.salt ?? experiment.places.root
            let use = Use(
                kind: "experiment", name: experiment.definition.key, file: experiment.file, position: field.position,
                path: experiment.places.salt.map(\.path.description))
            add(experiment.definition.salt, use)
        }
        return problems
    }

    private static func use<Value>(_ kind: String, _ name: String, _ located: Located<Value>) -> Use {
        Use(
            kind: kind, name: name, file: located.file, position: located.field.keyPosition,
            path: located.field.path.description)
    }

    private static func problem(_ use: Use, _ severity: Problem.Severity, _ message: String) -> Problem {
        Problem(severity: severity, file: use.file, position: use.position, message: message, path: use.path)
    }
}
