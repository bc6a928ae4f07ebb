import AllotConfiguration
import AllotCore

/// Random definitions of every shape. They may collide: evaluation has to be deterministic even then.
package enum RandomDefinitions {
    package static let base: JSONObject = [
        "A": ["one": 1, "two": "x", "object": ["m": 1, "n": ["p": 2, "q": 3]]], "B": ["three": .null, "four": [1, 2]],
    ]

    package static func make(_ random: inout SeededGenerator) -> Definitions {
        let layers = ["layer-a", "layer-b"].compactMap { name in
            Salt(name).map { LayerDefinition(name: name, salt: $0, unit: unit(&random)) }
        }
        var experiments = (0..<Int.random(in: 1...8, using: &random)).map { experiment("e\($0)", &random) }
        for index in experiments.indices where index > 0 && chance(0.3, &random) {
            let targets = Set(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<index, using: &random) })
            for target in targets.sorted().map({ experiments[$0] }) {
                let variants = target.variants.map(\.key).filter { _ in chance(0.6, &random) }
                experiments[index].requirements.append(
                    chance(0.4, &random)
                        ? .init(experiment: target.key, .noVariant)
                        : .init(experiment: target.key, variants: variants + ["v0"]))
            }
        }
        let holdouts = (0..<Int.random(in: 0...2, using: &random)).compactMap { number -> HoldoutDefinition? in
            let scope = HoldoutDefinition.Scope(
                experiments: experiments.map(\.key).filter { _ in chance(0.3, &random) },
                layers: chance(0.5, &random) ? ["layer-a"] : [])
            return Salt("holdout-\(number)").map {
                HoldoutDefinition(
                    name: "h\(number)", hash: .sha256($0), unit: unit(&random),
                    share: Int.random(in: 0...400_000, using: &random),
                    scope: chance(0.5, &random) ? nil : scope)
            }
        }
        return Definitions(
            base: base, meta: ["creation_time": "2026-01-01T00:00Z", "zone": "test", "Aa": 1], layers: layers,
            holdouts: holdouts, experiments: experiments)
    }

    private static func chance(_ share: Double, _ random: inout SeededGenerator) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    private static func unit(_ random: inout SeededGenerator) -> String {
        chance(0.7, &random) ? "user_id" : "org_id"
    }

    private static func experiment(_ key: String, _ random: inout SeededGenerator) -> ExperimentDefinition {
        var experiment = ExperimentDefinition.sample(key)
        experiment.status = ExperimentStatus.allCases.randomElement(using: &random) ?? .running
        if chance(0.5, &random) { experiment.status = .running }
        experiment.draw?.unit = unit(&random)
        experiment.variants = variants(&random)
        let drawsNothing = chance(0.2, &random)
        if drawsNothing {
            experiment.draw = nil
            experiment.variants = [
                VariantDefinition(key: "v0", buckets: [], overrides: experiment.variants[0].overrides)
            ]
        }
        if experiment.status == .concluded, chance(0.6, &random) { experiment.winner = experiment.variants.last?.key }
        if !drawsNothing, chance(0.4, &random) {
            experiment.layer = chance(0.5, &random) ? "layer-a" : "layer-b"
            let start = Int.random(in: 0..<500_000, using: &random)
            experiment.slots = BucketSet([start..<start + 300_000, 900_000..<950_000]).ranges
        }
        if !drawsNothing, chance(0.4, &random) { experiment.traffic = traffic(&random) }
        if chance(0.3, &random) { experiment.starts = Instant(seconds: Int64.random(in: 0...20, using: &random)) }
        if chance(0.3, &random) { experiment.ends = Instant(seconds: Int64.random(in: 5...30, using: &random)) }
        if chance(0.4, &random) {
            experiment.audience =
                ConditionParser.parse(["country": "DE"], segments: SegmentTable()).condition ?? .everyone
        }
        if !drawsNothing, chance(0.4, &random) {
            let ids = Set((0..<4).map { _ in "id-\(Int.random(in: 0..<40, using: &random))" })
            experiment.forced = ids.sorted().map { .init(unitID: $0, variant: experiment.variants[0].key) }
        }
        return experiment
    }

    /// One share for all times, or steps that rise and fall.
    private static func traffic(_ random: inout SeededGenerator) -> Traffic {
        func share(_ random: inout SeededGenerator) -> Int {
            chance(0.1, &random) ? 0 : Int.random(in: 0...1_000_000, using: &random)
        }
        guard chance(0.5, &random) else { return .constant(share(&random)) }
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
