import AllotConfiguration
import TestSupport
import Testing

@testable import Allot

/// Results of conditions that are remembered by value.
struct ConditionMemoTests {
    /// Audiences that look at one attribute in parts or as a whole, and at several.
    private static let plan: Plan = {
        let audiences: [JSONValue] = [
            ["city": ["$endsWith": ["1", "3"]]],
            ["$not": ["city": ["$endsWith": "7"]]],
            ["$not": ["city": ["$exists": true, "$endsWith": ["2", "4", "6"]]]],
            ["$or": [["city": ["$endsWith": "5"]], ["plan": "pro"]]],
            ["$nor": [["city": ["$endsWith": ["5", "6"]]], ["$not": ["plan": "pro"]]]],
            [
                "$or": [["age": ["$gt": 30]], ["plan": "free"]],
                "$not": ["city": ["$endsWith": "8"], "age": ["$lt": 40]],
            ],
            ["$not": ["plan": ["$exists": true], "city": ["$exists": true]]],
        ]
        let experiments = audiences.enumerated().map { index, audience in
            var experiment = ExperimentDefinition.sample("e-\(index)")
            experiment.audience = ConditionParser.parse(audience, segments: SegmentTable()).condition ?? .everyone
            return experiment
        }
        return Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: experiments))
    }()

    private static func subject(_ number: Int, cities: Range<Int>, _ random: inout SeededGenerator) -> PreparedSubject {
        var subject = Subject(id: "user-\(number)")
        // Some are missing, some too long to be remembered, and some have a type.
        let name = "c\(Int.random(in: cities, using: &random))"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: subject.setTyped("city", .string(name))
        case 2: subject.setUntyped("city", "a city with a long name, " + name)
        default: subject.setUntyped("city", name)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: break
        case 1: subject.setTyped("plan", .string("pro"))
        case 2: subject.setTyped("plan", .null)
        default: subject.setUntyped("plan", "free")
        }
        if Bool.random(using: &random) {
            subject.setTyped("age", .number(JSONNumber(Int.random(in: 10..<60, using: &random))))
        }
        return PreparedSubject(subject, for: plan)
    }

    /// More values than can be remembered, and then others, so that what was remembered is forgotten.
    @Test("Remembered results are those that are found anew")
    func agreesWithoutMemory() {
        let size = 96
        var random = SeededGenerator(seed: 20)
        var grouped = Evaluator(plan: Self.plan, at: Instant(seconds: 0), selection: nil, groupSize: size)
        var remembering = Evaluator(plan: Self.plan, at: Instant(seconds: 0))
        for round in 0..<180 {
            let cities = round < 20 ? 0..<40 : round < 160 ? 100..<3000 : 5000..<5100
            var (values, bytes): ([AttributeValue], [UInt8]) = ([], [])
            let subjects = (0..<size).map { Self.subject(round * size + $0, cities: cities, &random) }
            for subject in subjects {
                values += subject.values.map {
                    AttributeValue($0.kind, start: $0.start + bytes.count, length: $0.length, number: $0.number)
                }
                bytes += subject.bytes
            }
            grouped.evaluate(group: size, values.span, bytes.span)
            for row in stride(from: round % 8, to: size, by: 8) {
                let subject = subjects[row]
                // An evaluator that decides one subject remembers nothing.
                var alone = Evaluator(plan: Self.plan, at: Instant(seconds: 0))
                alone.evaluate(subject)
                #expect(grouped.selectedDecisions(row: row) == alone.decisions)
                remembering.evaluate(subject)
                #expect(remembering.decisions == alone.decisions)
            }
        }
    }

    @Test("A connective is remembered if all its tests look at one attribute")
    func attributeOfConnectives() throws {
        let program = Self.plan.compiled.conditions
        let roots = try Self.plan.experiments.indices.map { index in
            Int(try #require(Self.plan.compiled.experiments[index].audience))
        }
        let city = Self.plan.attributes.index(of: "city")
        #expect(roots.map { program.nodes[$0].attribute } == [city, city, city, nil, nil, nil, nil])
    }

    @Test("Codes number the values as they come, until there is none left")
    func codes() {
        var codes = ValueCodes()
        for number in 0..<300 {
            let text = Array("v\(number)".utf8)
            let value = AttributeValue.untyped(start: 0, length: text.count)
            let expected = number < 254 ? UInt8(number + 1) : ValueCodes.none
            #expect(codes.code(of: value, text.span) == expected)
            #expect(codes.code(of: value, text.span) == expected)
        }
        let bytes = Array("true and a text of more than fifteen bytes".utf8).span
        #expect(codes.code(of: AttributeValue(.untyped, start: 0, length: 16), bytes) == ValueCodes.none)
        #expect(codes.code(of: AttributeValue(.number, number: 1), bytes) == ValueCodes.none)
    }

    @Test("Values that differ in anything that a test could see are not one")
    func shortValues() {
        let bytes = Array("true\0\0null".utf8).span
        let values: [AttributeValue] = [
            .missing, AttributeValue(.null), AttributeValue(.boolean, length: 0), AttributeValue(.boolean, length: 1),
            AttributeValue(.text, start: 0, length: 0), AttributeValue(.text, start: 0, length: 4),
            .untyped(start: 0, length: 4), .untyped(start: 0, length: 5), .untyped(start: 0, length: 6),
            AttributeValue(.text, start: 6, length: 4),
        ]
        for (index, value) in values.enumerated() {
            #expect(values.firstIndex { ShortValue($0, bytes) == ShortValue(value, bytes) } == index)
        }
    }
}
