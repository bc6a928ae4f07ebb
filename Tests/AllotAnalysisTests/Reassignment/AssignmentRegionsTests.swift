import Allot
import AllotConfiguration
import TestSupport
import Testing

@testable import AllotAnalysis

@Suite struct AssignmentRegionsTests {
    /// A unit is in a variant's region exactly when the engine gives it that variant.
    @Test("Regions agree with the engine", arguments: 0..<300)
    func regionsAgreeWithTheEngine(seed: Int) {
        var random = SeededGenerator(seed: seed)
        let definitions = RandomDefinitions.make(&random)
        let plan = Plan(definitions)
        let instant = Instant(seconds: Int64.random(in: 0...30, using: &random))
        let enrolments = definitions.experiments.map {
            AssignmentRegions($0, in: DefinitionsIndex(definitions), at: instant)
        }
        for _ in 0..<30 {
            // In every audience, and forced nowhere.
            let ids = ["user_id", "org_id"].map { ($0, "unit-\(Int.random(in: 0..<1_000_000, using: &random))") }
            var subject = Subject()
            for (name, id) in ids { subject.setUntyped(name, id) }
            subject.setUntyped("country", "DE")
            let bucket = { (draw: BucketDimension) -> Int in
                guard let id = ids.first(where: { $0.0 == draw.unit.text })?.1 else { return -1 }
                let pair = SaltedHash(draw.salt).buckets(of: id)
                return draw.half == .first ? pair.first : pair.second
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
        let definitions = Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment])
        return AssignmentRegions(experiment, in: DefinitionsIndex(definitions), at: Instant(seconds: 0))
    }

    @Test("Audiences of required experiments count")
    func audiencesOfRequiredExperimentsCount() {
        var first = ExperimentDefinition.sample("first")
        first.audience = Self.condition(["country": "DE"])
        var second = ExperimentDefinition.sample("second")
        second.requirements = [.init(experiment: "first", variants: ["only"])]
        let definitions = Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [first, second])
        let enrolment = AssignmentRegions(second, in: DefinitionsIndex(definitions), at: Instant(seconds: 0))
        #expect(enrolment.audience == [first.audience.canonical])
    }

    @Test("Dropped and added conditions are recognised")
    func droppedAndAddedConditionsAreTold() {
        let (all, german, germanPro) = (
            Self.enrolment([:]), Self.enrolment(["country": "DE"]), Self.enrolment(["plan": "pro", "country": "DE"])
        )
        #expect(all.audienceChange(to: all) == .none)
        #expect(germanPro.audienceChange(to: german) == .widened)
        #expect(german.audienceChange(to: all) == .widened)
        #expect(german.audienceChange(to: germanPro) == .narrowed)
        #expect(german.audienceChange(to: Self.enrolment(["country": "FR"])) == .changed)
        // Written in another way.
        #expect(germanPro.audienceChange(to: Self.enrolment(["$and": [["country": "DE"], ["plan": "pro"]]])) == .none)
        #expect(german.audienceChange(to: .nobody(["only"])) == .none)
    }
}

extension AssignmentRegions {
    /// Whether a unit must have no variant of an experiment whose audience is not everyone, which no range tells.
    var leavesOutByAudience: Bool {
        audience.contains { condition in
            if case .object(let object) = condition { object["no variant"] != nil } else { false }
        }
    }
}

extension DecisionRegion {
    /// Whether buckets lie in it.
    fileprivate func contains(_ bucket: (BucketDimension) -> Int) -> Bool {
        boxes.contains { $0.sets.allSatisfy { draw, set in set.contains(bucket(draw)) } }
    }
}
