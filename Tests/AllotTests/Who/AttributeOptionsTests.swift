import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

/// The ways in which tests can come out together, against single decisions of the engine.
struct AttributeOptionsTests {
    /// Each test as the audience of an experiment.
    private struct Engine {
        private let plan: Plan

        init(_ tests: [Condition.Test]) { plan = .of(audiences: tests.map(Condition.test)) }

        func results(_ value: Subject.Value) -> [Bool] {
            var subject = Subject(id: "unit")
            value.set("a", of: &subject)
            return plan.assignments(for: subject, at: Instant(seconds: 0)).map { $0.reason == .split }
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
        ["a": ["$type": "number"]], ["a": ["$startsWith": ["D", "F"]]], ["a": ["$startsWithi": ["d", "fr"]]],
        ["a": ["$endsWith": ["E", "0"]]], ["a": ["$endsWithi": "e"]], ["a": ["$in": [true, 5, "DE"]]],
        ["a": ["$inNetwork": ["10.1.0.0/16", "::1"]]], ["a": ["$ne": false]], ["a": ["$type": "boolean"]],
        ["a": ["$inNetwork": "10.0.0.0/8"]], ["a": ["$containsi": ["e", "5"]]], ["a": ["$contains": ["DE", "."]]],
    ]

    private static let values: [Subject.Value] = {
        let scalars: [JSONValue] = [
            .null, true, false, 3, 4, 5, 7.5, 8, -1, "DE", "FR", "de", "fR", "D", "M", "Z", "", "5", "5.0", "3", "7.50",
            1e17, 1e308, -1e308, "1e17", "10.1.2.3", "11.0.0.1", "3.2.0", "3.1.9", "4.0.0-beta", "v4", "true", "TRUE",
            "x", "2025-12-31T00:00:00Z", "2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "D.E", "MAE",
        ]
        let lists: [JSONValue] = [
            .array([]), ["DE"], ["FR", "DE"], ["DE", "FR"], [5, "x"], ["FR", .null], [true], ["x", "y", "z"], ["de"],
            ["k": 1], [:], ["k": 2],
        ]
        let untyped = scalars.compactMap { value -> Subject.Value? in
            if case .string(let text) = value, !text.isEmpty { .untyped(text) } else { nil }
        }
        return (scalars + lists).map(Subject.Value.typed) + untyped
    }()

    private static func tests(of conditions: some Sequence<JSONValue>) throws -> [Condition.Test] {
        try conditions.flatMap { value in
            try #require(ConditionParser.parse(value, segments: SegmentTable()).condition).tests
        }
    }

    @Test("The results of tests on any value are among those that a proof goes through", arguments: 0..<150)
    func options(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let chosen = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        let tests = try Self.tests(of: chosen)
        let options = try #require(AttributeOptions.all(tests))
        let engine = Engine(tests)
        for value in Self.values {
            let results = engine.results(value)
            #expect(options.contains { $0.results == results }, "\(chosen.map(\.canonicalText)) \(value)")
        }
        for option in options {
            if let witness = option.witness { #expect(engine.results(witness) == option.results, "\(witness)") }
        }
    }

    @Test("So are those on any unit ID, valid or not", arguments: 0..<60)
    func unitOptions(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let chosen = Self.conditions.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let tests = try Self.tests(of: chosen)
        let options = try #require(AttributeOptions.units(tests, leaving: [], adding: ["5", "Z"]))
        let engine = Engine(tests)
        let long = Subject.Value.typed(.string(String(repeating: "D", count: 1025)))
        for value in Self.values + [long] {
            let results = engine.results(value)
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
            let options = try #require(try AttributeOptions.all(Self.tests(of: [value])))
            #expect(!options.contains { $0.witness == nil }, "\(value.canonicalText)")
        }
    }
}
