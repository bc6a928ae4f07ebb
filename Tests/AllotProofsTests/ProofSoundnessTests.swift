import AllotAnalysis
import AllotConfiguration
import AllotCore
import TestSupport
import Testing

@testable import AllotProofs

/// Proofs say what the engine does.
struct ProofSoundnessTests {
    @Test("Each unit is in one cell of each experiment, with the engine's decision", arguments: 0..<120)
    func cells(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(RandomDefinitions.make(&random))
        let everything = plan.experiments.indices.map(\.self)
        var space = AudienceSpace(plan, experiments: everything)
        for _ in 0..<6 {
            let attributes = RandomDefinitions.attributes(&random)
            let instant = Instant(seconds: Int64.random(in: -1...31, using: &random))
            let subject = Subject(attributes: JSONObject(attributes.map { (key: $0.key, value: .string($0.value)) }))
            let decisions = plan.decide(subject, at: instant).decisions
            // The country alone is known, or everything.
            for known in [["country"], ["country", "user_id", "org_id"]] {
                let given = JSONObject(known.map { (key: $0, value: .string(attributes[$0] ?? "")) })
                let found = space.scenarios(known: given, present: [], includesForced: true)
                guard case .found(let scenarios, _, _) = found else { continue }
                let matching = scenarios.filter { $0.fits(attributes, plan) }
                #expect(matching.count == 1)
                for scenario in matching {
                    var cells = DecisionCells(plan, at: instant, scenario, pins: [])
                    for index in everything {
                        let own = cells.cells(of: index).filter { cell in
                            cell.region.sets.allSatisfy { dimension, set in
                                set.contains(dimension.bucket(of: attributes[dimension.unit.text] ?? ""))
                            }
                        }
                        let expected = Outcome(variant: decisions[index].variant, reason: decisions[index].reason)
                        #expect(own.map(\.outcome) == [expected], "\(plan.experiments[index].key) \(attributes)")
                    }
                }
            }
        }
    }

    private static let conditions: [JSONValue] = [
        ["a": "DE"], ["a": ["$in": ["DE", "FR", "5"]]], ["a": ["$nin": ["FR", 5, .null]]], ["a": ["$ne": 5]],
        ["a": ["$gt": 3]], ["a": ["$lte": 7.5]], ["a": ["$gt": "D"]], ["a": ["$lt": "M"]], ["a": ["$exists": true]],
        ["a": ["$type": "array"]], ["a": ["$type": "string"]], ["a": ["$vgte": "3.2"]], ["a": ["$vlt": "4.0.0-rc.1"]],
        ["a": ["$startsWith": "D"]], ["a": ["$endsWith": "E"]], ["a": ["$contains": "."]], ["a": ["$regex": "^[A-M]"]],
        ["a": ["$ini": ["de", "Fr"]]], ["a": ["$all": ["DE", "FR"]]], ["a": ["$size": 2]], ["a": ["$size": ["$gt": 1]]],
        ["a": ["$elemMatch": ["$eq": "FR"]]], ["a": true], ["a": ["$in": [true, "x"]]], ["a": .null],
        ["a": ["$before": "2026-01-01T00:00:00Z"]], ["a": ["$after": "2025-06-01T00:00:00Z"]],
        ["a": ["$eq": ["DE", "FR"]]], ["a": ["$eq": ["k": 1]]], ["a": ["$gt": 9e15]], ["a": ["$lt": -9e15]],
        ["a": ["$type": "number"]], ["a": ["$startsWith": ["D", "F"]]], ["a": ["$inNetwork": "10.0.0.0/8"]],
    ]

    private static let values: [AttributeOption.Witness] = {
        let scalars: [JSONValue] = [
            .null, true, false, 3, 4, 5, 7.5, 8, -1, "DE", "FR", "de", "fR", "D", "M", "Z", "", "5", "5.0", "3", "7.50",
            1e17, 1e308, -1e308, "1e17", "10.1.2.3", "11.0.0.1", "3.2.0", "3.1.9", "4.0.0-beta", "v4", "true", "TRUE",
            "x", "2025-12-31T00:00:00Z", "2024-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z", "D.E", "MAE",
        ]
        let lists: [JSONValue] = [
            .array([]), ["DE"], ["FR", "DE"], ["DE", "FR"], [5, "x"], ["FR", .null], [true], ["x", "y", "z"], ["de"],
            ["k": 1], [:], ["k": 2],
        ]
        let untyped = scalars.compactMap { value -> AttributeOption.Witness? in
            if case .string(let text) = value, !text.isEmpty { .untyped(text) } else { nil }
        }
        return (scalars + lists).map(AttributeOption.Witness.typed) + untyped
    }()

    private static func tests(of conditions: some Sequence<JSONValue>) throws -> [Condition.Test] {
        var tests: [Condition.Test] = []
        for value in conditions {
            let condition = try #require(ConditionParser.parse(value, segments: SegmentTable()).condition)
            _ = AudienceFormula(condition, tests: &tests)
        }
        return tests
    }

    @Test("The results of tests on any value are among those that a proof goes through", arguments: 0..<150)
    func options(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let chosen = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        let tests = try Self.tests(of: chosen)
        let options = try #require(AttributeOptions.all("a", tests))
        var probe = TestProbe(tests)
        func results(_ value: AttributeOption.Witness) -> [Bool] {
            var subject = Subject()
            value.set("a", of: &subject)
            return probe.results(subject)
        }
        for value in Self.values {
            #expect(options.contains { $0.results == results(value) }, "\(chosen.map(\.canonicalText)) \(value)")
        }
        for option in options {
            if let witness = option.witness { #expect(results(witness) == option.results, "\(witness)") }
        }
    }

    @Test("So are those on any unit ID, valid or not", arguments: 0..<60)
    func unitOptions(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let chosen = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let tests = try Self.tests(of: chosen)
        let options = try #require(AttributeOptions.units("a", tests, leaving: [], adding: ["5", "Z"]))
        var probe = TestProbe(tests)
        let long = AttributeOption.Witness.typed(.string(String(repeating: "D", count: 1025)))
        for value in Self.values + [long] {
            var subject = Subject()
            value.set("a", of: &subject)
            let results = probe.results(subject)
            let fits = options.contains { option in
                guard option.results == results else { return false }
                return switch option.unit {
                case .absent: value.unitID == nil
                case .anyID: value.unitID != nil
                case .oneOf(let ids): value.unitID.map(ids.contains) ?? false
                case .id(let id): value.unitID == id
                }
            }
            #expect(fits, "\(chosen.map(\.canonicalText)) \(value)")
        }
    }

    @Test("Tests of one kind have a known value for each of their results")
    func witnesses() throws {
        for value in [
            ["a": ["$in": ["AT", "DE"]]], ["a": ["$gte": 5, "$lt": 9]], ["a": ["$vgte": "3.2", "$vlt": "3.3"]],
            ["a": ["$after": "2025-06-01T00:00:00Z"]], ["a": ["$startsWith": "San"]], ["a": ["$ini": ["de"]]],
            ["$or": [["a": ["$lt": 2]], ["a": ["$exists": false]]]], ["a": ["$ne": true]],
        ] as [JSONValue] {
            let options = try #require(try AttributeOptions.all("a", Self.tests(of: [value])))
            #expect(!options.contains { $0.witness == nil }, "\(value.canonicalText)")
        }
    }
}

extension AudienceSpace.Scenario {
    /// Whether a unit belongs to the scenario.
    fileprivate func fits(_ attributes: [String: String], _ plan: Plan) -> Bool {
        units.allSatisfy { unit, knowledge in
            let id = JSONValue.string(attributes[unit.text] ?? "").unitID
            let forced = plan.forcedUnitIDs(of: unit.text, decidingFor: Array(plan.experiments.indices))
            let isForced = id.map(forced.contains) ?? false
            return switch knowledge {
            case .absent: id == nil
            case .anyID: id != nil && !isForced
            case .oneOf(let ids): id.map(ids.contains) ?? false
            case .id(let known): id == known
            }
        }
    }
}
