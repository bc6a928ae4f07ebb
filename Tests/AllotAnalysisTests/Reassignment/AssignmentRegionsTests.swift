import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotAnalysis

struct AssignmentRegionsTests {
    /// A unit is in a variant's region exactly when the engine gives it that variant.
    @Test("Regions agree with the engine", arguments: 0..<300)
    func regionsAgreeWithTheEngine(seed: Int) {
        var random = SeededGenerator(seed: seed)
        var definitions = RandomDefinitions.make(&random).withOtherSystems(&random)
        if seed.isMultiple(of: 2) { definitions = definitions.withWindows(&random) }
        let plan = Plan(definitions)
        let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
        let enrolments = definitions.experiments.map {
            AssignmentRegions($0, in: DefinitionsIndex(definitions), at: instant)
        }
        for _ in 0..<30 {
            // In every audience, and forced nowhere.
            var subject = Subject()
            for name in ["user_id", "org_id"] {
                subject.setUntyped(name, "unit-\(Int.random(in: 0..<1_000_000, using: &random))")
            }
            subject.setUntyped("country", "DE")
            let bucket = { [subject] (draw: BucketDimension) -> Int in
                subject.unitID(draw.unit.text).map { draw.bucket(of: $0) } ?? -1
            }
            for (enrolment, assignment) in zip(enrolments, plan.assignments(for: subject, at: instant))
            where !enrolment.leavesOutByAudience {
                let held = zip(enrolment.variants, enrolment.regions).filter { $0.1?.contains(bucket) ?? false }
                #expect(held.map(\.0) == (assignment.variant.map { [$0] } ?? []))
                if assignment.variant != nil { #expect(enrolment.isRandomised == (assignment.reason == .split)) }
            }
        }
    }

    private static func condition(_ value: JSONValue) -> Condition {
        ConditionParser.parse(value, segments: SegmentTable()).condition ?? .everyone
    }

    private static func enrolment(_ audience: JSONValue) -> AssignmentRegions {
        var experiment = ExperimentDefinition.sample("e")
        experiment.audience = condition(audience)
        return regions(experiment, in: [experiment])
    }

    private static func regions(
        _ experiment: ExperimentDefinition, in all: [ExperimentDefinition]
    ) -> AssignmentRegions {
        AssignmentRegions(experiment, in: DefinitionsIndex(Definitions(all)), at: Instant(seconds: 0))
    }

    @Test("Audiences of required experiments count")
    func audiencesOfRequiredExperimentsCount() {
        var first = ExperimentDefinition.sample("first")
        first.audience = Self.condition(["country": "DE"])
        var second = ExperimentDefinition.sample("second")
        second.requirements = [.init(experiment: "first", .variants(["only"]))]
        #expect(Self.regions(second, in: [first, second]).audience == [first.audience.canonical])
    }

    /// Two experiments of one audience or of several, of which the second takes only units without a variant of the
    /// first, which gives its units to the first `traffic` buckets.
    private static func pair(_ first: JSONValue, _ second: JSONValue, traffic: Int) -> Definitions {
        var (left, right) = (ExperimentDefinition.sample("first"), ExperimentDefinition.sample("second"))
        (left.audience, right.audience) = (condition(first), condition(second))
        left.traffic = .constant(traffic)
        right.requirements = [.init(experiment: "first", .noVariant)]
        return Definitions([left, right])
    }

    @Test("Units that have a variant of an experiment are left out exactly where its audience admits no fewer units")
    func unitsWithoutAVariant() {
        func change(_ first: JSONValue, _ second: JSONValue) -> ExperimentReassignment {
            let sides = [500_000, 600_000].map { Plan(Self.pair(first, second, traffic: $0)) }
            return DefinitionsReassignment(from: sides[0], to: sides[1], at: Instant(seconds: 0)).experiments[1]
        }
        for (first, second) in [([:], [:]), (["country": "US"], ["country": "US"]), ([:], ["country": "US"])]
            as [(JSONValue, JSONValue)]
        {
            let exact = change(first, second)
            #expect(exact.audience == .none)
            #expect(exact.reassignsEnrolledUnits)
            #expect(exact.share(.leaves) == ExactShare(buckets: 100_000))
            #expect(exact.share(.stays) == ExactShare(buckets: 400_000))
        }
        let open = change(["country": "US"], [:])
        #expect(open.audience == .requirement)
        #expect(open.reassignsEnrolledUnits)
        #expect(change(["country": "US"], ["country": "DE"]).audience == .requirement)
    }

    @Test("Many experiments without whose variants a unit has to be do not multiply the boxes without end")
    func manyRequirements() {
        var last = ExperimentDefinition.sample("last")
        let others = (0..<12).map { number in
            var other = ExperimentDefinition.sample("other-\(number)")
            other.traffic = .constant(500_000)
            other.variants = [VariantDefinition(key: "only", buckets: [0..<300_000], overrides: [:])]
            return other
        }
        last.requirements = others.map { .init(experiment: $0.key, .noVariant) }
        let regions = Self.regions(last, in: others + [last])
        #expect(regions.exclusions.count == 7)
        #expect(regions.regions[0]?.boxes.count == 32)
    }

    /// It would take 2^24 steps to ask each experiment for all before it anew.
    @Test("A chain of experiments, each without a variant of all before it, is compared in time")
    func chainOfRequirements() {
        var experiments: [ExperimentDefinition] = []
        for number in 10..<34 {
            var experiment = ExperimentDefinition.sample("e\(number)")
            experiment.audience = Self.condition(["plan": .string("p\(number)")])
            experiment.requirements = experiments.map { .init(experiment: $0.key, .noVariant) }
            experiments.append(experiment)
        }
        let definitions = Definitions(experiments)
        let change = DefinitionsReassignment(from: Plan(definitions), to: Plan(definitions), at: Instant(seconds: 0))
        #expect(change.experiments.count == 24)
        #expect(change.experiments.allSatisfy { !$0.isChanged && $0.audience == .none && $0.returning.isEmpty })
    }

    @Test("A later step that lowers the traffic moves enrolled units")
    func laterSteps() {
        func change(from old: Int, to new: Int) -> ExperimentReassignment {
            let sides = [old, new].map { share in
                var experiment = ExperimentDefinition.sample("button")
                experiment.traffic = .steps([0: 500_000, 10: share])
                return Plan(Definitions([experiment]))
            }
            return DefinitionsReassignment(from: sides[0], to: sides[1], at: Instant(seconds: 5)).experiments[0]
        }
        let falling = change(from: 600_000, to: 200_000)
        #expect(falling.fallingSteps == ["50% → 20% from 1970-01-01T00:00:10Z"])
        #expect(falling.reassignsEnrolledUnits)
        let rising = change(from: 200_000, to: 600_000)
        #expect(rising.fallingSteps == [])
        #expect(!rising.reassignsEnrolledUnits)
        #expect(change(from: 200_000, to: 200_000).fallingSteps == [])
    }

    @Test("Dropped and added conditions are recognised")
    func droppedAndAddedConditions() {
        let (all, german, germanPro) = (
            Self.enrolment([:]), Self.enrolment(["country": "DE"]), Self.enrolment(["plan": "pro", "country": "DE"])
        )
        #expect(all.audienceChange(to: all) == .none)
        #expect(germanPro.audienceChange(to: german) == .widened)
        #expect(german.transitions(to: all, areDisjoint: true).map(\.kind) == [.leaves, .enters])
        #expect(german.audienceChange(to: all) == .widened)
        #expect(german.audienceChange(to: germanPro) == .narrowed)
        #expect(german.audienceChange(to: Self.enrolment(["country": "FR"])) == .disjoint)
        #expect(german.audienceChange(to: Self.enrolment(["plan": "pro"])) == .changed)
        // Written in another way.
        #expect(germanPro.audienceChange(to: Self.enrolment(["$and": [["country": "DE"], ["plan": "pro"]]])) == .none)
        #expect(german.audienceChange(to: .empty(["only"])) == .none)
        let adults = Self.enrolment(["age": ["$gte": 18]])
        let others: JSONValue = ["age": ["$not": ["$lt": 18]], "country": "DE"]
        #expect(adults.audienceChange(to: Self.enrolment(others)) == .changed)
        #expect(adults.audienceChange(to: Self.enrolment(["age": ["$gt": 17.5]])) == .widened)
        #expect(adults.audienceChange(to: Self.enrolment(["age": ["$gte": 18, "$lt": 67]])) == .narrowed)
        let europe = Self.enrolment(["country": ["$in": ["DE", "AT"]]])
        #expect(german.audienceChange(to: europe) == .widened)
        // A list is in a set, and equals no text.
        let equal: JSONValue = ["$or": [["country": "AT"], ["country": "DE"]]]
        #expect(europe.audienceChange(to: Self.enrolment(equal)) == .narrowed)
        let parts: JSONValue = ["$or": [["country": ["$in": ["AT"]]], ["country": ["$in": ["DE"]]]]]
        #expect(europe.audienceChange(to: Self.enrolment(parts)) == .none)
    }
}

extension AssignmentRegions {
    /// Whether a unit must have no variant of an experiment whose audience is not everyone, which no range says.
    var leavesOutByAudience: Bool { !exclusions.isEmpty }
}
