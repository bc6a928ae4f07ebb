import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

/// Reassignment of experiments with the hashes of other systems: against counting, and what a change of the hash says.
struct ForeignHashTests {
    private static let instant = Instant(seconds: 10)

    /// Two hashes that take a remainder and one that scales, each with resolutions that divide ``points``.
    private static let salts: [(scheme: HashScheme, salt: String, resolutions: [Int])] = [
        (.eppo1, "one", [4, 6]), (.statsig1, "two", [2, 3]), (.flagd1, "three", [3, 6]),
    ]
    private static let points = [12, 6, 6]

    private static func hash(_ random: inout SeededGenerator) throws -> UnitHash {
        let choice = salts[Int.random(in: 0..<salts.count, using: &random)]
        let resolution = choice.resolutions[Int.random(in: 0..<2, using: &random)]
        return .other(try #require(ForeignHash(choice.scheme, salt: choice.salt, resolution: resolution)))
    }

    private static func part(_ count: Int, _ random: inout SeededGenerator) -> [Range<Int>] {
        let cuts = [Int.random(in: 0...count, using: &random), Int.random(in: 0...count, using: &random)].sorted()
        return BucketSet([cuts[0]..<cuts[1]]).ranges
    }

    private static func definitions(_ random: inout SeededGenerator) throws -> Definitions {
        let layer = LayerDefinition(name: "layer", hash: try hash(&random), unit: "user_id")
        let holdoutHash = try hash(&random)
        let holdout = HoldoutDefinition(
            name: "holdout", hash: holdoutHash, unit: "user_id",
            share: Int.random(in: 0...holdoutHash.resolution / 2, using: &random), scope: nil)
        let experiments = try (0..<3).map { index in
            var experiment = ExperimentDefinition.sample("e\(index)")
            let hash = try hash(&random)
            experiment.draw?.hash = hash
            let first = BucketSet(part(hash.resolution, &random))
            let second = BucketSet(part(hash.resolution, &random)).subtracting(first)
            experiment.variants = [("a", first), ("b", second)].map {
                VariantDefinition(key: $0.0, buckets: $0.1.ranges, overrides: [:])
            }
            if Bool.random(using: &random) {
                experiment.layer = "layer"
                experiment.slots = part(layer.hash.resolution, &random)
            }
            if index > 0, Bool.random(using: &random) {
                experiment.requirements = [
                    Bool.random(using: &random)
                        ? .init(experiment: "e0", .noVariant) : .init(experiment: "e0", .variants(["a"]))
                ]
            }
            return experiment
        }
        return Definitions(
            base: [:], meta: [:], layers: [layer], holdouts: Bool.random(using: &random) ? [holdout] : [],
            experiments: experiments)
    }

    /// Every number that the three salts can give decides alike for as many units.
    @Test("Shares of other systems' hashes are those that counting gives", arguments: 0..<20)
    func agreesWithCounting(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let (old, new) = (try Self.definitions(&random), try Self.definitions(&random))
        let movement = DefinitionsReassignment(from: Plan(old), to: Plan(new), at: Self.instant)
        let all = Self.points.reduce(1, *)
        for key in ["e0", "e1", "e2"] {
            var counts: [[String?]: Int] = [:]
            for point in 0..<all {
                let numbers = [point % 12, point / 12 % 6, point / 72]
                let states = [old, new].map { definitions in
                    EvaluationOracle(
                        definitions: definitions, instant: Self.instant, attributes: ["user_id": "x"],
                        buckets: { hash, _ in Self.bucket(hash, numbers) }
                    ).decide(key).variant
                }
                if states != [nil, nil] { counts[states, default: 0] += 1 }
            }
            let transitions = movement.experiments.first { $0.experiment == key }?.transitions ?? []
            #expect(transitions.count == counts.count, "\(key)")
            for transition in transitions {
                let count = counts[[transition.from, transition.to]] ?? 0
                #expect(transition.share == ExactShare(buckets: count, resolution: all), "\(key): \(transition.text)")
            }
        }
    }

    private static func bucket(_ hash: UnitHash, _ numbers: [Int]) -> BucketPair {
        let index = salts.firstIndex { $0.salt == hash.salt } ?? 0
        let bucket =
            hash.scheme == .flagd1
            ? numbers[index] * hash.resolution / points[index] : numbers[index] % hash.resolution
        return BucketPair(first: bucket, second: bucket)
    }

    private static func definitions(_ hash: UnitHash, _ cuts: [Int]) -> Definitions {
        var experiment = ExperimentDefinition.sample("checkout")
        experiment.draw?.hash = hash
        experiment.variants = zip(["a", "b"], zip(cuts, cuts.dropFirst())).map {
            VariantDefinition(key: $0, buckets: [$1.0..<$1.1], overrides: [:])
        }
        return Definitions([experiment])
    }

    private static func change(_ old: Definitions, _ new: Definitions) throws -> ExperimentReassignment {
        try #require(DefinitionsReassignment(from: Plan(old), to: Plan(new), at: instant).experiments.first)
    }

    @Test("Leaving another system's hash randomises every unit anew")
    func leaving() throws {
        let eppo = UnitHash.other(try #require(ForeignHash(.eppo1, salt: "checkout")))
        let own = UnitHash.sha256(try #require(Salt("checkout")))
        let change = try Self.change(
            Self.definitions(eppo, [0, 5000, 10_000]), Self.definitions(own, [0, 500_000, 1_000_000]))
        #expect(change.isRerandomised)
        #expect(change.share(.moves) == ExactShare(buckets: 500_000))
        #expect(change.changes == [#"hash eppo/1 of 10000 buckets, salt "checkout" → sha256/1, salt checkout"#])
        #expect(change.warnings.contains { $0.contains("exposures of before and after are counted together") })
    }

    @Test("Other weights of a scaled hash move no unit if the shares stay")
    func otherResolution() throws {
        func definitions(_ resolution: Int) throws -> Definitions {
            let hash = try #require(ForeignHash(.flagd1, salt: "flag", resolution: resolution))
            return Self.definitions(.other(hash), [0, resolution / 2, resolution])
        }
        let change = try Self.change(definitions(100), definitions(1000))
        #expect(change.transitions.map(\.kind) == [.stays, .stays])
        #expect(change.share(.stays) == .all)
    }

    @Test("Shares of two resolutions without a common one are said not to be exact")
    func noCommonResolution() throws {
        func definitions(_ resolution: Int) throws -> Definitions {
            let hash = try #require(ForeignHash(.eppo1, salt: "flag", resolution: resolution))
            return Self.definitions(.other(hash), [0, 1, 2])
        }
        let change = try Self.change(definitions(2), definitions(1_000_000))
        #expect(change.warnings.contains { $0.hasPrefix("the shares are not exact") })
        #expect(try Self.change(definitions(2), definitions(100_000)).warnings.allSatisfy { !$0.contains("exact") })
    }

    @Test("LaunchDarkly and PlanOut give one number under one salt")
    func sameNumber() throws {
        func definitions(_ scheme: HashScheme) throws -> Definitions {
            Self.definitions(.other(try #require(ForeignHash(scheme, salt: "x.y"))), [0, 1 << 59, 1 << 60])
        }
        let change = try Self.change(definitions(.launchdarkly1), definitions(.planout1))
        #expect(change.share(.stays) == .all)
    }

    private static func experiment(_ scheme: HashScheme, _ cuts: [Int]) throws -> Plan.Experiment {
        let hash = UnitHash.other(try #require(ForeignHash(scheme, salt: "x")))
        return Plan(definitions(hash, cuts)).experiments[0]
    }

    @Test("New shares are whole numbers of the hash's own buckets")
    func reweighting() throws {
        let eppo = try ShareChange(of: Self.experiment(.eppo1, [0, 5000, 10_000]))
        #expect(
            try eppo.reweighted(to: [VariantShare("a", buckets: 200_000), VariantShare("b", buckets: 800_000)])
                == [[0..<2000], [2000..<10_000]])
        #expect(try eppo.closing("a") == [[], [0..<10_000]])
        let error = #expect(throws: AnalysisError.self) {
            try eppo.reweighted(to: [VariantShare("a", buckets: 333_333), VariantShare("b", buckets: 666_667)])
        }
        #expect(error?.description.contains("33.3333% is not a whole number of the 10000 buckets of eppo/1") == true)
        let wide = try ShareChange(of: Self.experiment(.launchdarkly1, [0, 1 << 59, 1 << 60]))
        #expect(try wide.closing("b") == [[0..<1 << 60], []])
        #expect(
            try wide.reweighted(to: [VariantShare("a", buckets: 250_000), VariantShare("b", buckets: 750_000)])
                == [[0..<1 << 58], [1 << 58..<1 << 60]])
    }

    @Test("A ramp of another system's hash is refused by name")
    func ramp() throws {
        let experiment = try Self.experiment(.eppo1, [0, 5000, 10_000])
        let every = try #require(TimeSpan("1d"))
        let error = #expect(throws: AnalysisError.self) {
            try TrafficRamp([500_000], from: Self.instant, every: every, of: experiment, at: Self.instant)
        }
        #expect(error?.description.hasPrefix("checkout has the hash eppo/1, which gives one number") == true)
    }

    @Test("Slots of a layer with another system's hash are in its own buckets")
    func slots() throws {
        let hash = UnitHash.other(try #require(ForeignHash(.growthbook1, salt: "ns")))
        var experiment = ExperimentDefinition.sample("e")
        (experiment.layer, experiment.slots) = ("ns", [0..<400])
        let plan = Plan(
            Definitions(
                base: [:], meta: [:], layers: [LayerDefinition(name: "ns", hash: hash, unit: "user_id")], holdouts: [],
                experiments: [experiment]))
        let report = try SlotsReport(layer: "ns", of: plan, at: Self.instant, place: 100_000)
        #expect(report.lines.first == "ns: 60% free (unit user_id, growthbook/1, salt \"ns\")")
        #expect(report.lines.contains("    slots: [400..<500]"))
        let misfit = try SlotsReport(layer: "ns", of: plan, at: Self.instant, place: 700_000).misfit
        #expect(misfit == "ns has only 60% free, not 70%")
    }

    @Test("Recomputed variants of other systems' hashes agree with the engine", arguments: HashScheme.allCases)
    func recomputation(scheme: HashScheme) throws {
        guard scheme != .sha256 else { return }
        let count = scheme.defaultResolution
        let experiment = try Self.experiment(scheme, [0, count / 4, count / 2])
        let hash = try #require(experiment.hash?.foreign)
        let plan = Plan(Self.definitions(.other(hash), [0, count / 4, count / 2]))
        for number in 0..<200 {
            let unit = "user-\(number)"
            let assignment = plan.assignments(for: Subject(id: unit), at: Self.instant)[0]
            #expect(plan.recomputedVariant(of: unit) == assignment.variant)
        }
    }
}
