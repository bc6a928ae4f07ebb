import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct RevisionTests {
    private func plan(_ change: (inout Definitions) -> Void = { _ in }) throws -> Plan {
        var experiment = ExperimentDefinition.sample("one")
        experiment.layer = "layer"
        experiment.slots = [0..<500_000]
        experiment.requirements = [.init(experiment: "two", .variants(["only"]))]
        var other = ExperimentDefinition.sample("two")
        other.forced = [.init(unitID: "tester", variant: "only")]
        var definitions = Definitions(
            base: RandomDefinitions.base, meta: [:],
            layers: [LayerDefinition(name: "layer", hash: .sha256(try #require(Salt("layer"))), unit: "user_id")],
            holdouts: [
                HoldoutDefinition(
                    name: "h", hash: .sha256(try #require(Salt("h"))), unit: "user_id", share: 5, scope: nil)
            ], experiments: [experiment, other])
        change(&definitions)
        return Plan(definitions)
    }

    /// What is hashed is written by hand, member by member.
    @Test("What is hashed is canonical JSON")
    func hashedTextIsCanonical() throws {
        let foreign = try #require(UnitHash(.eppo1, salt: "é"))
        let plan = try plan { definitions in
            (definitions.experiments[0].starts, definitions.experiments[0].ends) = (
                Instant(seconds: 1), Instant(seconds: 2)
            )
            definitions.experiments[0].forced = [
                .init(unitID: "\u{1}\"", variant: "only"), .init(unitID: "b", variant: "only"),
            ]
            definitions.experiments[1].status = .concluded
            definitions.experiments[1].winner = "only"
            definitions.experiments[1].draw?.hash = foreign
        }
        let definitions = plan.definitions
        let order = EvaluationOrder(definitions.experiments)
        let rivals = definitions.experiments.rivals
        let shared = CanonicalShared(definitions)
        for (index, withOverrides) in definitions.experiments.indices.flatMap({ [($0, true), ($0, false)] }) {
            var writer = CanonicalWriter()
            definitions.write(
                index, in: order, shared, decisions: [0: "1", 1: "2"], rivals: rivals[index],
                withOverrides: withOverrides, to: &writer)
            #expect(try JSONValue(parsing: writer.bytes).canonicalBytes == writer.bytes)
        }
    }

    @Test("The revision of an experiment without a draw is fixed, and does not depend on holdouts")
    func withoutDraw() throws {
        var experiment = ExperimentDefinition.sample("euro")
        experiment.draw = nil
        experiment.variants = [VariantDefinition(key: "euro", buckets: [], overrides: ["A": ["one": 2]])]
        var definitions = Definitions(
            base: RandomDefinitions.base, meta: [:], layers: [], holdouts: [], experiments: [experiment])
        #expect(Plan(definitions).experiments[0].revision == "2bad490c50ddf967")
        definitions.holdouts = [
            HoldoutDefinition(name: "h", hash: .sha256(try #require(Salt("h"))), unit: "user_id", share: 5, scope: nil)
        ]
        #expect(Plan(definitions).experiments[0].revision == "2bad490c50ddf967")
    }

    @Test("Traffic steps that change no share while the experiment is live do not count")
    func stepsWithoutEffect() throws {
        func revision(_ steps: (Int64, Int)..., starts: Int64? = 10, ends: Int64? = 20) throws -> String {
            try plan { definitions in
                definitions.experiments[0].starts = starts.map { Instant(seconds: $0) }
                definitions.experiments[0].ends = ends.map { Instant(seconds: $0) }
                definitions.experiments[0].traffic = .steps(
                    steps.map { .init(from: Instant(seconds: $0.0), share: $0.1) })
            }.experiments[0].revision
        }
        let once = try plan {
            $0.experiments[0].starts = Instant(seconds: 10)
            $0.experiments[0].ends = Instant(seconds: 20)
            $0.experiments[0].traffic = .constant(7)
        }.experiments[0].revision
        #expect(try revision((10, 7)) == once)
        #expect(try revision((3, 5), (9, 7), (20, 9)) == once)
        #expect(try revision((3, 7), (15, 7)) == once)
        #expect(try revision((3, 7), (15, 8)) == revision((10, 7), (12, 7), (15, 8), (25, 9)))
        #expect(try revision((3, 7), (15, 8)) != once)
        #expect(try revision((15, 7)) != once)
        #expect(try revision((10, 7), starts: nil) != once)
    }

    /// A strong entity tag consists of the revision and the fingerprint, so both stand for the same bytes.
    @Test("The order in which variants are listed changes neither revisions, fingerprints nor configurations")
    func orderOfVariants() throws {
        let buckets: [(String, Range<Int>)] = [
            ("b", 0..<300_000), ("c", 300_000..<600_000), ("B", 600_000..<700_000), ("a", 700_000..<900_000),
        ]
        let variants = buckets.map {
            VariantDefinition(key: $0.0, buckets: [$0.1], overrides: ["A": ["two": .string($0.0)]])
        }
        let plans = try [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]].map { order in
            try plan { definitions in
                for index in definitions.experiments.indices {
                    definitions.experiments[index].variants = order.map { variants[$0] }
                    definitions.experiments[index].requirements = []
                    definitions.experiments[index].forced = [.init(unitID: "tester", variant: "c")]
                }
            }
        }
        #expect(Set(plans.map(\.revision)).count == 1)
        var fingerprints: Set<String> = []
        for id in ["tester"] + (0..<50).map({ "unit-\($0)" }) {
            let decided = plans.map { $0.decide(Subject(id: id), at: Instant(seconds: 0)) }
            let bytes = zip(plans, decided).map { $0.configurationBytes(of: $1) }
            #expect(Set(decided.map(\.fingerprint)).count == 1)
            #expect(Set(bytes).count == 1)
            fingerprints.formUnion(decided.map(\.fingerprint))
        }
        #expect(fingerprints.count > 4)
    }

    /// A revision is part of what others rely on: it may not change by accident.
    @Test("Revisions have a fixed form")
    func theFormIsFixed() throws {
        let plan = try plan()
        #expect(plan.experiments.map(\.revision) == ["a3dd5ef16f74919d", "25a37b7e92dc02a7"])
        #expect(plan.revision == "802c03e3eee4c3bd")
    }
}
