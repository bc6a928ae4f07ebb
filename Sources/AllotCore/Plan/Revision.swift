import AllotConfiguration

// Revisions: what is hashed, and how the hash is cut.

extension SHA256 {
    /// A revision: the first 16 hexadecimal digits of the SHA-256 of `bytes`.
    package static func revision(of bytes: [UInt8]) -> String { revision(of: bytes.span) }

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
    func revision(ofExperiments revisions: [String]) -> String {
        var writer = CanonicalWriter()
        writer.object { writer in
            writer.member("base", .object(base))
            writer.member("experiments") { writer in
                writer.array(experiments.indices) { index, writer in
                    writer.object { writer in
                        writer.member("key", text: experiments[index].key)
                        writer.member("overrides") { writer in
                            writer.object(of: experiments[index].variants, by: \.key) {
                                $1.value(.object($0.overrides))
                            }
                        }
                        writer.member("revision", text: revisions[index])
                    }
                }
            }
            writer.member("hash", text: Bucketing.hashVersion)
            writer.member("holdouts") { writer in
                writer.array(holdouts) { holdout, writer in
                    writer.object { writer in
                        writer.member("decision", holdout.canonicalDecision)
                        writer.member("name", text: holdout.name)
                    }
                }
            }
            writer.member("layers") { $0.array(layers) { $1.value($0.canonical) } }
            writer.member("meta", .object(meta))
        }
        return SHA256.revision(of: writer.bytes)
    }

    /// The revision of each experiment, of which some are known already.
    func experimentRevisions(
        in order: EvaluationOrder, rivals: [[Int]], known: [String?], on workers: Workers
    ) -> [String] {
        let shared = CanonicalShared(self)
        @Sendable func revision(of index: Int, _ decisions: [Int: String], withOverrides: Bool) -> String {
            var writer = CanonicalWriter()
            write(
                index, in: order, shared, decisions: decisions, rivals: rivals[index], withOverrides: withOverrides,
                to: &writer)
            return SHA256.revision(of: writer.bytes)
        }
        // Most are required by no other.
        let required = Set(order.required.joined())
        var decisions: [Int: String] = [:]
        for index in order.indices where required.contains(index) {
            decisions[index] = revision(of: index, decisions, withOverrides: false)
        }
        return workers.map(experiments.count, chunk: 512) { [decisions] index in
            known[index] ?? revision(of: index, decisions, withOverrides: true)
        }
    }

    /// Writes one experiment with everything that can change its decisions: its layer and holdouts, which are written
    /// already as `shared`, its segments written out, the hashes of what decides the experiments that it requires, and
    /// the forced units that are displaced from it.
    func write(
        _ index: Int, in order: EvaluationOrder, _ shared: CanonicalShared, decisions: [Int: String], rivals: [Int],
        withOverrides: Bool, to writer: inout CanonicalWriter
    ) {
        let experiment = experiments[index]
        let layer = experiment.layer.flatMap { shared.layers[$0] }
        writer.object { writer in
            writer.member("audience", experiment.audience.canonical)
            writer.member("displacedBy") { writer in
                writer.array(rivals) { rival, writer in
                    writer.object { writer in
                        writer.member("unit", optionalText: experiments[rival].unit)
                        writer.member("units") { $0.array(experiments[rival].forced) { $1.text($0.unitID) } }
                    }
                }
            }
            if let ends = experiment.ends { writer.member("ends", text: ends.description) }
            writer.member("forced") { writer in
                writer.object(of: experiment.forced, by: \.unitID) { $1.text($0.variant) }
            }
            if let foreign = experiment.hash?.foreign { writer.member("hash", foreign.canonical) }
            writer.member("holdouts") { writer in
                writer.array(holdouts.indices.lazy.filter { holdouts[$0].covers(experiment) }) {
                    $1.canonical(shared.holdouts[$0])
                }
            }
            if let layer { writer.member("layer", canonical: layer) }
            if let period = experiment.draw?.period { writer.member("period", period.canonical) }
            writer.member("requires") { writer in
                writer.object(of: experiment.requirements, by: \.experiment) { requirement, writer in
                    let required = order.index(of: requirement.experiment)
                    writer.object { writer in
                        writer.member("decision", text: required.flatMap { decisions[$0] } ?? "")
                        writer.member("variants", requirement.admitted.canonical)
                    }
                }
            }
            writer.member("salt", optionalText: experiment.hash?.salt)
            if layer != nil { writer.member("slots", ranges: experiment.slots) }
            if let starts = experiment.starts { writer.member("starts", text: starts.description) }
            writer.member("status", text: experiment.status.rawValue)
            writer.member("traffic", experiment.traffic.limited(to: experiment.schedule).canonical)
            writer.member("unit", optionalText: experiment.unit)
            writer.member("variants") { writer in
                writer.object(of: experiment.variants, by: \.key) { variant, writer in
                    writer.object { writer in
                        writer.member("buckets", ranges: variant.buckets)
                        if withOverrides { writer.member("overrides", .object(variant.overrides)) }
                    }
                }
            }
            if let winner = experiment.winner { writer.member("winner", text: winner) }
        }
    }
}

/// The parts that the texts of many experiments share.
struct CanonicalShared: Sendable, Equatable {
    let layers: [String: [UInt8]]
    /// In the order of the definitions.
    let holdouts: [[UInt8]]

    init(_ definitions: Definitions) {
        layers = Dictionary(
            definitions.layers.map { ($0.name, $0.hash.canonical(adding: ["unit": .string($0.unit)]).canonicalBytes) },
            uniquingKeysWith: { first, _ in first })
        holdouts = definitions.holdouts.map(\.canonicalDecision.canonicalBytes)
    }
}

extension CanonicalWriter {
    /// Writes a member: a text, or null.
    fileprivate mutating func member(_ name: String, optionalText text: String?) {
        if let text { member(name, text: text) } else { member(name, .null) }
    }

    fileprivate mutating func member(_ name: String, ranges: [Range<Int>]) {
        member(name) { writer in
            writer.array(ranges) { range, writer in
                writer.array([range.lowerBound, range.upperBound]) { $1.number($0) }
            }
        }
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

extension Period {
    fileprivate var canonical: JSONValue {
        var members: JSONObject = ["every": .number(JSONNumber(Int(seconds))), "from": .string(from.description)]
        if isBalanced { members["balanced"] = true }
        return .object(members)
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
    fileprivate var canonical: JSONValue { hash.canonical(adding: ["name": .string(name), "unit": .string(unit)]) }
}

extension HoldoutDefinition {
    fileprivate var canonicalDecision: JSONValue {
        hash.canonical(adding: ["unit": .string(unit), "share": .number(JSONNumber(share))])
    }
}
