import AllotConfiguration
import TestSupport
import Testing

@testable import AllotCore

struct ConditionTests {
    @Test("A condition holds for the values that the table says, and for no others", arguments: ConditionTable.rows)
    func operators(row: ConditionRow) throws {
        var segments = SegmentTable()
        segments.groups[UTF8Key("staff")] = ["anna", 7]
        segments.conditions[UTF8Key("europe")] =
            ConditionParser.parse(["a": ["$in": ["DE", "FR"]]], segments: segments).condition
        let harness = try ConditionHarness(row.condition, segments: segments)
        for (value, holds) in row.values { #expect(harness.holds(value) == holds, "\(value)") }
    }

    @Test("The table has a line for each operator and connective")
    func everyOperator() {
        let names = Operators.names + Connective.allCases.map(\.rawValue)
        for name in names {
            #expect(ConditionTable.rows.contains { $0.description.contains("\"\(name)\":") }, "\(name)")
        }
    }

    @Test("An attribute with a dot in its name takes precedence over a path")
    func aColumnWithADotIsThePathItself() throws {
        var subject = Subject(id: "unit")
        subject.setUntyped("father.age", "70")
        #expect(try ConditionHarness(["father.age": ["$gt": 65]]).holds(subject))
    }

    @Test(
        "A number that equals its neighbours is refused in every place",
        arguments: [
            "9007199254740992", "-9007199254740992", "10155555555555551", "1e16", "-2.5E18", "1e300",
            "9007199254740993.0", "9007199254740991.5",
        ])
    func inexactNumbers(text: String) throws {
        let number = JSONValue.number(try #require(JSONNumber(text)))
        let places: [JSONValue] = [
            number, ["$ne": number], ["$in": [1, number]], ["$nin": [number]], ["$all": [number]], ["$gt": number],
            ["$lte": number], ["$size": number], ["$size": ["$lt": number]], ["$elemMatch": ["$gte": number]],
            ["$eq": ["b": [number]]], ["$not": ["$eq": number]],
        ]
        for place in places {
            let condition = JSONValue.object(JSONObject([(key: "a", value: place)]))
            #expect(ConditionParser.parse(condition, segments: SegmentTable()).condition == nil, "\(place)")
        }
        #expect(ConditionParser.parse(["a": 9_007_199_254_740_991], segments: SegmentTable()).problems.isEmpty)
    }

    /// Engines that backtrack take exponential time for these.
    @Test("No pattern takes more than linear time", arguments: ["^(a+)+$", "(a+)+$", "(a|aa)+$"])
    func patternsAreBounded(pattern: String) throws {
        let text = String(repeating: "a", count: 1000) + "b"
        #expect(try !ConditionHarness(["a": ["$regex": .string(pattern)]]).holds(.untyped(text)))
    }

    @Test("A text beyond the bound does not match and is counted")
    func textBeyondTheBoundDoesNotMatchAndIsCounted() throws {
        let harness = try ConditionHarness(["a": ["$regex": "x"]])
        let bound = RegularExpression.maximumTextLength
        #expect(harness.holds(.untyped(String(repeating: "x", count: bound))))
        let long = String(repeating: "x", count: bound + 1)
        #expect(!harness.holds(.untyped(long)))
        var evaluator = Evaluator(plan: harness.plan, at: Instant(seconds: 0))
        evaluator.evaluate(PreparedSubject(Subject(untyped: ["user_id": "u", "a": long]), for: harness.plan))
        #expect(evaluator.boundCount == 1)
    }
}
