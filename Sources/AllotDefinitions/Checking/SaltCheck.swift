import AllotConfiguration
import AllotCore

/// Finds salts that are used twice: two randomisations with one salt make the same decisions. Another system's salts
/// are as they are there. Its experiments often share one on purpose: each rule of a flag does.
struct SaltCheck {
    let all: DefinitionsCheck

    /// The longest salt that fits into one SHA-256 block together with ":" and a UUID of 36 bytes.
    private static let longestForOneBlock = 55 - 36 - 1

    private struct Use {
        let kind: String
        let name: String
        let file: String
        /// The salt, or the definition that has its name as salt.
        let field: Field
        let isWritten: Bool
        var period: Period?

        var position: SourcePosition { isWritten ? field.position : field.keyPosition }

        func problem(_ severity: DefinitionProblem.Severity, _ message: String) -> DefinitionProblem {
            DefinitionProblem(severity, file: file, at: field, atKey: !isWritten, message)
        }
    }

    func problems() -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        var uses: [String: [Use]] = [:]
        var foreignUses: [UTF8Key: [Use]] = [:]
        /// - Parameter decides: whether another bucket can make another decision.
        func add(_ hash: UnitHash, _ use: Use, decides: @autoclosure () -> Bool = true) {
            if let foreign = hash.foreign {
                let key = UTF8Key("\(foreign.scheme.message) \(foreign.salt)")
                let others = foreignUses[key] ?? []
                if let other = others.first(where: { $0.kind != use.kind || use.kind != "experiment" }) {
                    problems.append(use.problem(.warning, Self.shared(foreign, use, other)))
                }
                foreignUses[key, default: []].append(use)
                return
            }
            let (text, others) = (hash.salt, uses[hash.salt] ?? [])
            if let other = others.first(where: { $0.kind != use.kind || use.kind != "experiment" }) {
                problems.append(
                    use.problem(
                        .error,
                        "the salt \"\(text)\" of the \(use.kind) \(use.name) is also that of the \(other.kind) "
                            + "\(other.name) (\(other.file):\(other.position)), so both would make the same "
                            + "decisions; give one of them another salt, which randomises it anew"))
            } else if let other = others.first(where: { $0.period == use.period })
                // A window's number is hashed too, so that no window has the buckets of an experiment without any.
                ?? others.first(where: { $0.period != nil && use.period != nil })
            {
                let place = other.period == use.period ? "in both" : "in windows of one number"
                problems.append(
                    use.problem(
                        .warning,
                        "the salt \"\(text)\" is also that of \(other.name) (\(other.file):\(other.position)), so "
                            + "the same units get the same buckets \(place); unless you mean it, give one of them "
                            + "another salt, which randomises it anew"))
            }
            if text.utf8.count > Self.longestForOneBlock, decides() {
                problems.append(
                    use.problem(
                        .warning,
                        "the salt \"\(text)\" has \(text.utf8.count) characters, and with a UUID it takes two hash "
                            + "blocks instead of one; \(Self.longestForOneBlock) or fewer are faster, but a new salt "
                            + "randomises anew, so change it before the start only"))
            }
            uses[text, default: []].append(use)
        }
        for layer in all.layers.layers { add(layer.value.hash, Self.use("layer", layer.value.name, layer)) }
        for holdout in all.holdouts.holdouts {
            add(holdout.value.hash, Self.use("holdout", holdout.value.name, holdout))
        }
        for experiment in all.experiments where experiment.hasHash {
            guard let hash = experiment.definition.hash else { continue }
            let use = Use(
                kind: "experiment", name: experiment.definition.key, file: experiment.file,
                field: experiment.places.salt ?? experiment.places.root, isWritten: experiment.places.salt != nil,
                period: experiment.definition.draw?.period)
            add(hash, use, decides: experiment.definition.decides(by: hash))
        }
        return problems
    }

    private static func shared(_ hash: ForeignHash, _ use: Use, _ other: Use) -> String {
        "the \(use.kind) \(use.name) has the \(hash.scheme.rawValue) buckets of the \(other.kind) \(other.name) "
            + "(\(other.file):\(other.position)), since the salts are the same, so both make the same decisions; "
            + "unless the other system does so, give one of them its own salt"
    }

    private static func use<Value>(_ kind: String, _ name: String, _ definition: Positioned<Value>) -> Use {
        let written = definition.field.member("salt")
        return Use(
            kind: kind, name: name, file: definition.file, field: written ?? definition.field,
            isWritten: written != nil)
    }
}

extension ExperimentDefinition {
    fileprivate func decides(by hash: UnitHash) -> Bool {
        traffic != .constant(Bucketing.bucketCount) || variants.count != 1
            || variants[0].buckets != [0..<hash.resolution]
    }
}
