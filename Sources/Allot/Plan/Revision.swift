import AllotConfiguration

// Revisions: what is hashed, and how the hash is cut.

extension SHA256 {
    /// A revision: the first 16 hexadecimal digits of the SHA-256 of `bytes`.
    package static func revision(of bytes: [UInt8]) -> String {
        revision(of: bytes.span)
    }

    /// A revision: the first 16 hexadecimal digits of the SHA-256 of `bytes`.
    package static func revision(of bytes: Span<UInt8>) -> String {
        let words = state(prefix: Span(), message: bytes).words
        let start = UInt64(words[0]) << 32 | UInt64(words[1])
        return String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: start >> UInt64(60 - index * 4) & 15)
                digits.initializeElement(at: index, to: hexadecimalDigit(digit))
            }
            return 16
        }
    }
}

extension Definitions {
    /// The revision of the configuration.
    func revision(ofExperiments revisions: [String]) -> String {
        SHA256.revision(of: canonical(experimentRevisions: revisions).canonicalBytes)
    }

    /// The revision of each experiment. Those that others require come first, as their revisions are part of the
    /// others'.
    func experimentRevisions(
        in order: EvaluationOrder, layerIndices: [String: Int], rivals: [[Int]]
    ) -> [String] {
        var byKey: [String: String] = [:]
        for index in order.indices {
            let experiment = experiments[index]
            let canonical = canonical(
                experiment, layer: experiment.layer.flatMap { layerIndices[$0] }.map { layers[$0] }, revisions: byKey,
                rivals: rivals[index].map { experiments[$0] })
            byKey[experiment.key] = SHA256.revision(of: canonical.canonicalBytes)
        }
        return experiments.map { byKey[$0.key] ?? "" }
    }

    /// The definitions as JSON that changes exactly when behaviour can: defaults filled in, keys sorted, without
    /// descriptions, owners and constraints.
    private func canonical(experimentRevisions: [String]) -> JSONValue {
        [
            "base": .object(base),
            "meta": .object(meta),
            "layers": .array(layers.map(\.canonical)),
            "holdouts": .array(holdouts.map(\.canonical)),
            "experiments": .array(
                zip(experiments, experimentRevisions).map { experiment, revision in
                    [
                        "key": .string(experiment.key), "revision": .string(revision),
                        "overrides": .object(
                            JSONObject(experiment.variants.map { (key: $0.key, value: .object($0.overrides)) })),
                    ]
                }),
            "hash": .string(Bucketing.hashVersion),
        ]
    }

    /// One experiment with everything that can change its decisions: the salts of its layer and holdouts, its segments
    /// written out, the revisions of the experiments that it requires, and the units that are displaced from it.
    ///
    /// - Parameters:
    ///   - revisions: those of the experiments that it requires.
    ///   - rivals: the experiments whose forced units it leaves alone.
    private func canonical(
        _ experiment: ExperimentDefinition, layer: LayerDefinition?, revisions: [String: String],
        rivals: [ExperimentDefinition]
    ) -> JSONValue {
        // Names in order: an object that need not be sorted is made several times as fast.
        var object: JSONObject = [
            "audience": experiment.audience.canonical,
            "displacedBy": .array(
                rivals.map { ["unit": .text($0.unit), "units": .array($0.forced.map { .string($0.unitID) })] }),
            "forced": .forced(experiment.forced),
            "holdouts": .array(holdouts.filter { $0.covers(experiment) }.map(\.canonicalDecision)),
            "requires": .object(
                JSONObject(
                    experiment.requirements.map { requirement in
                        let revision = revisions[requirement.experiment] ?? ""
                        return (
                            requirement.experiment,
                            ["revision": .string(revision), "variants": requirement.admitted.canonical]
                        )
                    })),
            "salt": .text(experiment.hash?.salt),
            "status": .string(experiment.status.rawValue),
            "traffic": experiment.traffic.limited(to: experiment.schedule).canonical,
            "unit": .text(experiment.unit),
            "variants": .object(
                JSONObject(
                    experiment.variants.map {
                        (
                            key: $0.key,
                            value: ["buckets": .ranges($0.buckets), "overrides": .object($0.overrides)]
                        )
                    })),
        ]
        if let winner = experiment.winner { object["winner"] = .string(winner) }
        if let foreign = experiment.hash?.foreign { object["hash"] = foreign.canonical }
        if let starts = experiment.starts { object["starts"] = .string(starts.description) }
        if let ends = experiment.ends { object["ends"] = .string(ends.description) }
        if let layer {
            object["layer"] = layer.hash.canonical(adding: ["unit": .string(layer.unit)])
            object["slots"] = .ranges(experiment.slots)
        }
        return .object(object)
    }
}

extension Traffic {
    /// A number as long as the share never changes; with steps the share before the first, and each with its instant.
    fileprivate var canonical: JSONValue {
        let share = JSONValue.number(JSONNumber(initial))
        guard !steps.isEmpty else { return share }
        return .array([share] + steps.map { [.string($0.from.description), .number(JSONNumber($0.share))] })
    }
}

extension ExperimentDefinition.Requirement.Admitted {
    fileprivate var canonical: JSONValue {
        switch self {
        case .variants(let variants): .array(variants.sorted(by: UTF8Order.precedes).map(JSONValue.string))
        case .noVariant: .null
        }
    }
}

extension UnitHash {
    /// The salt, and another system's hash, as members of an object.
    fileprivate func canonical(adding members: JSONObject) -> JSONValue {
        var members = members
        members["salt"] = .string(salt)
        if let foreign { members["hash"] = foreign.canonical }
        return .object(members)
    }
}

extension ForeignHash {
    fileprivate var canonical: JSONValue {
        ["scheme": .string(scheme.rawValue), "resolution": .number(JSONNumber(resolution))]
    }
}

extension LayerDefinition {
    fileprivate var canonical: JSONValue {
        hash.canonical(adding: ["name": .string(name), "unit": .string(unit)])
    }
}

extension HoldoutDefinition {
    fileprivate var canonical: JSONValue {
        ["name": .string(name), "decision": canonicalDecision]
    }

    fileprivate var canonicalDecision: JSONValue {
        hash.canonical(adding: ["unit": .string(unit), "share": .number(JSONNumber(share))])
    }
}

extension JSONValue {
    /// Text; null for none.
    fileprivate static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    fileprivate static func ranges(_ ranges: [Range<Int>]) -> JSONValue {
        .array(ranges.map { [.number(JSONNumber($0.lowerBound)), .number(JSONNumber($0.upperBound))] })
    }

    fileprivate static func forced(_ forced: [ExperimentDefinition.ForcedUnit]) -> JSONValue {
        .object(JSONObject(forced.map { (key: $0.unitID, value: .string($0.variant)) }))
    }
}
