import AllotConfiguration
import TestSupport
import Testing

@_spi(Groups) @testable import AllotCore

/// Results of conditions that are remembered by value.
struct ConditionMemoTests {
    /// Audiences that look at one attribute in parts or as a whole, and at several.
    private static let plan = plan(audiences: [
        ["city": ["$endsWith": ["1", "3"]]], ["$not": ["city": ["$endsWith": "7"]]],
        ["$not": ["city": ["$exists": true, "$endsWith": ["2", "4", "6"]]]],
        ["$or": [["city": ["$endsWith": "5"]], ["plan": "pro"]]],
        ["$nor": [["city": ["$endsWith": ["5", "6"]]], ["$not": ["plan": "pro"]]]],
        ["$or": [["age": ["$gt": 30]], ["plan": "free"]], "$not": ["city": ["$endsWith": "8"], "age": ["$lt": 40]]],
        ["$not": ["plan": ["$exists": true], "city": ["$exists": true]]],
    ])

    /// An experiment for each audience.
    private static func plan(audiences: [JSONValue]) -> Plan {
        .of(audiences: audiences.map { ConditionParser.parse($0, segments: SegmentTable()).condition ?? .everyone })
    }

    /// What an evaluator decides that has nothing to remember, because it decides one subject.
    private static func decisionsAlone(_ subject: PreparedSubject) -> [Decision] {
        var evaluator = Evaluator(plan: subject.plan, at: Instant(seconds: 0))
        evaluator.evaluate(subject)
        return evaluator.decisions
    }

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
            let subjects = (0..<size).map { Self.subject(round * size + $0, cities: cities, &random) }
            grouped.evaluate(SubjectGroup(subjects))
            for row in stride(from: round % 8, to: size, by: 8) {
                let alone = Self.decisionsAlone(subjects[row])
                #expect(grouped.selectedDecisions(row: row) == alone)
                remembering.evaluate(subjects[row])
                #expect(remembering.decisions == alone)
            }
        }
    }

    /// Results are remembered from the 64th subject on.
    @Test("One evaluator that decides by key and all together forgets the subject before")
    func singleDecisions() {
        var random = SeededGenerator(seed: 21)
        var evaluator = Evaluator(plan: Self.plan, at: Instant(seconds: 0))
        for number in 0..<200 {
            let subject = Self.subject(number, cities: 0..<20, &random)
            let alone = Self.decisionsAlone(subject)
            if number % 3 == 0 {
                evaluator.evaluate(subject)
                #expect(evaluator.decisions == alone)
            }
            // A copy goes its own way.
            var copy = evaluator
            _ = copy.decide(0, for: Self.subject(number, cities: 20..<40, &random))
            for index in Self.plan.experiments.indices {
                #expect(evaluator.decide(index, for: subject) == alone[index])
            }
        }
    }

    @Test("Subjects of a group that have lists are decided as each alone")
    func lists() {
        let plan = Self.plan(audiences: [
            ["tags": ["$in": ["a", "b"]]], ["tags": ["$all": ["a", "c"]]], ["tags": ["$elemMatch": ["$eq": "b"]]],
            ["$not": ["tags": ["$size": 2]]], ["$or": [["tags": "a"], ["plan": "pro"]]],
        ])
        var random = SeededGenerator(seed: 22)
        let subjects = (0..<90).map { number in
            var subject = Subject(id: "user-\(number)")
            let tags = ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
            if number % 4 == 0 { subject.setUntyped("tags", "a") } else { subject.setTyped("tags", .strings(tags)) }
            if number % 7 == 0 { subject.setUntyped("plan", "pro") }
            return PreparedSubject(subject, for: plan)
        }
        var grouped = Evaluator(plan: plan, at: Instant(seconds: 0), selection: nil, groupSize: subjects.count)
        for _ in 0..<2 {
            grouped.evaluate(SubjectGroup(subjects))
            for (row, subject) in subjects.enumerated() {
                #expect(grouped.selectedDecisions(row: row) == Self.decisionsAlone(subject))
            }
        }
    }

    @Test("A code is not taken for that of a group 2²⁴ groups later")
    func groupsBeginAgain() throws {
        let attribute = try #require(Self.plan.attributes.index(of: "city"))
        let node = Int(try #require(Self.plan.compiled.experiments[0].audience))
        let bytes = Array("c1c2".utf8)
        let values = [AttributeValue.untyped(start: 0, length: 2), .untyped(start: 2, length: 2)]
        var memo = ConditionMemo(Self.plan, capacity: 1)
        memo.open()
        for (value, holds) in zip(values, [true, false]) {
            memo.beginGroup()
            #expect(memo.recall(node, attribute, row: 0, value, bytes.span) == nil)
            memo.remember(node, attribute, row: 0, holds)
        }
        for _ in 1..<1 << 24 { memo.beginGroup() }
        #expect(memo.recall(node, attribute, row: 0, values[0], bytes.span) == true)
    }

    @Test("Values that differ in anything that a test could see are not one")
    func shortValues() {
        // With bytes after them, texts are packed in two words.
        let ends = Array("true\0\0null".utf8)
        let padded = ends + Array(repeating: 0x78, count: 16)
        let values: [AttributeValue] = [
            .missing, AttributeValue(.null), AttributeValue(.boolean, length: 0), AttributeValue(.boolean, length: 1),
            AttributeValue(.text, start: 0, length: 0), AttributeValue(.text, start: 0, length: 4),
            .untyped(start: 0, length: 4), .untyped(start: 0, length: 5), .untyped(start: 0, length: 6),
            AttributeValue(.text, start: 6, length: 4),
        ]
        for (index, value) in values.enumerated() {
            let packed = ShortValue(value, ends.span)
            #expect(values.firstIndex { ShortValue($0, padded.span) == packed } == index)
        }
    }
}
