import AllotConfiguration
import AllotCore

/// Random definitions of every shape. They may collide: evaluation has to be deterministic even then.
package enum RandomDefinitions {
    package static let base: JSONObject = [
        "A": ["one": 1, "two": "x", "object": ["m": 1, "n": ["p": 2, "q": 3]]], "B": ["three": .null, "four": [1, 2]],
    ]

    /// - Parameters:
    ///   - ids: By attribute the unit IDs that may be forced.
    ///   - audience: The audience of an experiment that has one.
    package static func make(
        _ random: inout SeededGenerator, ids: (String) -> [String] = { _ in (0..<40).map { "id-\($0)" } },
        audience: (inout SeededGenerator) -> Condition = { _ in
            ConditionParser.parse(["country": "DE"], segments: SegmentTable()).condition ?? .everyone
        }
    ) -> Definitions {
        let layers = ["layer-a", "layer-b"].compactMap { name in
            Salt(name).map { LayerDefinition(name: name, hash: .sha256($0), unit: unit(&random)) }
        }
        var experiments = (0..<Int.random(in: 1...8, using: &random)).map {
            experiment("e\($0)", &random, ids, audience)
        }
        for index in experiments.indices where index > 0 && random.chance(0.3) {
            let targets = Set(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<index, using: &random) })
            for target in targets.sorted().map({ experiments[$0] }) {
                let variants = target.variants.map(\.key).filter { _ in random.chance(0.6) }
                experiments[index].requirements.append(
                    random.chance(0.4)
                        ? .init(experiment: target.key, .noVariant)
                        : .init(experiment: target.key, .variants(variants + ["v0"])))
            }
        }
        let holdouts = (0..<Int.random(in: 0...2, using: &random)).compactMap { number -> HoldoutDefinition? in
            let scope = HoldoutDefinition.Scope(
                experiments: experiments.map(\.key).filter { _ in random.chance(0.3) },
                layers: random.chance(0.5) ? ["layer-a"] : [])
            return Salt("holdout-\(number)").map {
                HoldoutDefinition(
                    name: "h\(number)", hash: .sha256($0), unit: unit(&random),
                    share: Int.random(in: 0...400_000, using: &random),
                    scope: random.chance(0.5) ? nil : scope)
            }
        }
        return Definitions(
            base: base, meta: ["creation_time": "2026-01-01T00:00Z", "zone": "test", "Aa": 1], layers: layers,
            holdouts: holdouts, experiments: experiments)
    }

    private static func unit(_ random: inout SeededGenerator) -> String {
        random.chance(0.7) ? "user_id" : "org_id"
    }

    private static func experiment(
        _ key: String, _ random: inout SeededGenerator, _ ids: (String) -> [String],
        _ audience: (inout SeededGenerator) -> Condition
    ) -> ExperimentDefinition {
        var experiment = ExperimentDefinition.sample(key)
        experiment.status = ExperimentStatus.allCases.randomElement(using: &random) ?? .running
        if random.chance(0.5) { experiment.status = .running }
        experiment.draw?.unit = unit(&random)
        // One salt for several randomisations makes their buckets depend on each other.
        if random.chance(0.15), let salt = Salt(random.pick(["e0", "layer-a", "holdout-0"])) {
            experiment.draw?.hash = .sha256(salt)
        }
        experiment.variants = variants(&random)
        let drawsNothing = random.chance(0.2)
        if drawsNothing {
            experiment.draw = nil
            experiment.variants = [
                VariantDefinition(key: "v0", buckets: [], overrides: experiment.variants[0].overrides)
            ]
        }
        if experiment.status == .concluded, random.chance(0.6) { experiment.winner = experiment.variants.last?.key }
        if !drawsNothing, random.chance(0.4) {
            experiment.layer = random.chance(0.5) ? "layer-a" : "layer-b"
            let start = Int.random(in: 0..<500_000, using: &random)
            experiment.slots = BucketSet([start..<start + 300_000, 900_000..<950_000]).ranges
        }
        if !drawsNothing, random.chance(0.4) { experiment.traffic = traffic(&random) }
        if random.chance(0.3) { experiment.starts = Instant(seconds: Int64.random(in: 0...20, using: &random)) }
        if random.chance(0.3) { experiment.ends = Instant(seconds: Int64.random(in: 5...30, using: &random)) }
        if random.chance(0.4) { experiment.audience = audience(&random) }
        if !drawsNothing, random.chance(0.4) {
            let units = ids(experiment.unit ?? "")
            let forced = Set((0..<4).map { _ in random.pick(units) })
            experiment.forced = forced.sorted().map { .init(unitID: $0, variant: experiment.variants[0].key) }
        }
        return experiment
    }

    /// One share for all times, or steps that rise and fall.
    private static func traffic(_ random: inout SeededGenerator) -> Traffic {
        func share(_ random: inout SeededGenerator) -> Int {
            random.chance(0.1) ? 0 : Int.random(in: 0...1_000_000, using: &random)
        }
        guard random.chance(0.5) else { return .constant(share(&random)) }
        let instants = Set(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in Int64.random(in: 0...30, using: &random) })
        return .steps(instants.sorted().map { .init(from: Instant(seconds: $0), share: share(&random)) })
    }

    private static func variants(_ random: inout SeededGenerator) -> [VariantDefinition] {
        let overrides: [JSONObject] = [
            [:], ["A": ["one": 5]], ["A": ["object": ["m": 7]]],
            ["A": ["object": ["n": ["p": .null]]], "B": ["three": [1]]],
            ["B": ["four": []]], ["A": ["two": "é\"\n"]], ["A": ["object": 3]], ["A": ["one": ["x": 1]]],
        ]
        var start = 0
        return (0..<Int.random(in: 1...3, using: &random)).map { index in
            let end = min(1_000_000, start + Int.random(in: 100_000...500_000, using: &random))
            defer { start = end }
            return VariantDefinition(
                key: "v\(index)", buckets: [start..<end].filter { !$0.isEmpty },
                overrides: overrides.randomElement(using: &random) ?? [:])
        }
    }

    /// Attributes with every kind of unit ID.
    package static func attributes(_ random: inout SeededGenerator) -> [String: String] {
        func id() -> String {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: ""
            case 1: String(repeating: "x", count: Int.random(in: 1022...1026, using: &random))
            case 2: "\u{e9}"
            case 3: "e\u{301}"
            default: "id-\(Int.random(in: 0..<40, using: &random))"
            }
        }
        return ["user_id": id(), "org_id": id(), "country": Bool.random(using: &random) ? "DE" : "US"]
    }
}
