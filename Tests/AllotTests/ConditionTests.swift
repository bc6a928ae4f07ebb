import AllotConfiguration
import Testing

@testable import AllotCore

struct ConditionTests {
    /// Untyped text, as CSV gives it, is read as the literal's type.
    @Test(
        "Untyped text is read as the type of the literal",
        arguments: [
            (["a": 5], "5", true), (["a": 5], "5.0", true), (["a": 5], "05", true), (["a": 5], "5e0", true),
            (["a": 5], " 5", false), (["a": 5], "+5", false), (["a": 5], "5.", false), (["a": 5], "0x5", false),
            (["a": "5"], "5", true), (["a": "5"], "5.0", false), (["a": "007"], "7", false), (["a": "7 "], "7", false),
            (["a": true], "TRUE", true), (["a": true], "1", false), (["a": false], "False", true),
            (["a": .null], "", true), (["a": .null], "null", false),
            (["a": ["$exists": true]], "", false), (["a": ["$exists": false]], "", true),
            (["a": ["$ne": "x"]], "", true), (["a": ["$ne": 5]], "many", true), (["a": ["$ne": 5]], "5.0", false),
            (["a": ["$nin": [1, "x"]]], "", true), (["a": ["$nin": [1, "x"]]], "1.0", false),
            (["a": ["$in": [1, "x", true, .null]]], "true", true), (["a": ["$in": [1, "x", true]]], "", false),
            (["a": ["$gt": 10]], "9", false), (["a": ["$gt": "10"]], "9", true), (["a": ["$lt": 10]], "", false),
            (["a": ["$gte": 10, "$lt": 5000]], "4999", true), (["a": ["$gte": 10, "$lt": 5000]], "5e3", false),
            (["a": ["$type": "string"]], "5", true), (["a": ["$type": "number"]], "5", true),
            (["a": ["$type": "number"]], "5x", false), (["a": ["$type": "boolean"]], "True", true),
            (["a": ["$type": "null"]], "", true),
            (["a": ["$ini": ["straße"]]], "STRAßE", true), (["a": ["$ini": ["ÜNITED"]]], "ünited", true),
            (["a": ["$nini": ["de"]]], "DE", false), (["a": ["$ini": ["σ"]]], "Σ", true),
            (["a": ["$startsWith": "ab"]], "abc", true), (["a": ["$endsWith": "bc"]], "abc", true),
            (["a": ["$contains": "b"]], "abc", true), (["a": ["$contains": "abcd"]], "abc", false),
            (["a": ["$regex": "^a.c$"]], "abc", true), (["a": ["$regex": "B"]], "abc", false),
            (["a": ["$regexi": "B"]], "abc", true),
            (["a": ["$vgte": "2.3.0"]], "2.10.1", true), (["a": ["$vgte": "2.3.0"]], "v3", true),
            (["a": ["$vgte": "2.3.0"]], "2.3.0-beta.1", false), (["a": ["$vgte": "2.3.0"]], "x", false),
            (["a": ["$vne": "2.3.0"]], "x", true), (["a": ["$vne": "2.3.0"]], "", true),
            (["a": ["$veq": "2.3"]], "2.3.0+5", true),
            (["a": ["$before": "2026-01-01T00:00:00Z"]], "2025-12-31T23:59:59+00:00", true),
            (["a": ["$before": "2026-01-01T00:00:00Z"]], "2025-12-31", false),
            (["a": ["$after": "2026-01-01T00:00:00Z"]], "2026-01-01T00:00:00Z", false),
            (["a": ["$onOrAfter": "2026-01-01T00:00:00Z"]], "2026-01-01T01:00:00+01:00", true),
            (["a": ["$onOrBefore": "2026-01-01T00:00:00Z"]], "2026-01-01T00:00:00.1Z", false),
            (["a": ["$onOrAfter": ["instant": "2026-01-01T00:00:00.5Z", "epoch": "seconds"]]], "1767225600.5", true),
            (["a": ["$before": ["instant": "1969-12-31T23:59:59.25Z", "epoch": "milliseconds"]]], "-751", true),
            (["a": ["$before": ["instant": "1969-12-31T23:59:59.25Z", "epoch": "milliseconds"]]], "-750", false),
            (
                ["a": ["$before": ["instant": "2026-01-01T00:00:00Z", "epoch": "seconds"]]], "2025-01-01T00:00:00Z",
                false
            ),
            (["a": ["$startsWith": ["x", "ab"]]], "abc", true), (["a": ["$endsWith": ["x", "ab"]]], "abc", false),
            (["a": ["$contains": ["x", "b"]]], "abc", true), (["a": ["$regex": ["^x", "c$"]]], "abc", true),
            (["a": ["$regexi": ["^x", "^y"]]], "abc", false), (["a": ["$regexi": ["^x", "^A"]]], "abc", true),
            (["a": ["$startsWithi": "AB"]], "abc", true), (["a": ["$endsWithi": ["x", "É"]]], "caf\u{e9}", true),
            (["a": ["$containsi": "STRAẞE"]], "Hauptstraße 5", true), (["a": ["$containsi": "aab"]], "AAAB", true),
            (["a": ["$startsWithi": "i"]], "İstanbul", true), (["a": ["$endsWithi": "\u{307}"]], "İ", true),
            (["a": ["$containsi": "\u{307}s"]], "İS", true), (["a": ["$containsi": ""]], "x", true),
            (["a": ["$startsWithi": ""]], "", false), (["a": ["$not": ["$startsWith": ["x"]]]], "", true),
            (["a": ["$vgt": "1.2.3"]], "1.2.3.1", true), (["a": ["$veq": "1.2.3.0.0.0"]], "v1.2.3", true),
            (["a": ["$vlt": "1.2.3.4"]], "1.2.3.4-rc.1", true), (["a": ["$vgt": "1.2.3.9"]], "1.2.3.10", true),
            (["a": ["$vgte": "1"]], "1.2.3.4.5.6.7", false), (["a": ["$vgte": "1"]], "1.2.3.04", false),
            (["a": ["$inNetwork": ["192.0.2.0/24", "2001:db8::/32"]]], "2001:DB8::1", true),
            (["a": ["$inNetwork": ["192.0.2.0/24", "2001:db8::/32"]]], "::ffff:192.0.2.7", true),
            (["a": ["$inNetwork": "192.0.2.0/24"]], "192.0.2.07", false), (["a": ["$inNetwork": "::/0"]], "", false),
            (["a": ["$notInNetwork": "192.0.2.0/24"]], "192.0.2.7", false),
            (["a": ["$notInNetwork": "192.0.2.0/24"]], "nowhere", true), (["a": ["$notInNetwork": "::/0"]], "", true),
            (["a": ["$not": ["$gt": 5]]], "", true), (["a": ["$not": ["$gt": 5]]], "6", false),
            (["$or": [["a": "x"], ["a": "y"]]], "y", true), (["$nor": [["a": "x"], ["a": "y"]]], "y", false),
            (["$or": []], "z", true), (["$and": []], "z", true), (["$nor": []], "z", false), ([:], "z", true),
            (["$not": ["a": "x"]], "x", false), (["a": ["x": 1]], "x", false),
        ] as [(JSONValue, String, Bool)])
    func untypedText(condition: JSONValue, text: String, expected: Bool) throws {
        #expect(try ConditionHarness(condition).holds(untyped: text) == expected)
    }

    /// JSON keeps its type; only text against a number literal is read as a number.
    @Test(
        "Typed values keep their type",
        arguments: [
            (["a": "5"], 5, false), (["a": 5], "5", true), (["a": true], "true", false), (["a": "true"], true, false),
            (["a": ["$gt": "4"]], 5, false), (["a": ["$regex": "5"]], 5, false), (["a": ["$vgte": "2"]], 3, false),
            (["a": ["$veq": 2]], 2, false), (["a": ["$veq": 2]], "2", true),
            (["a": ["$startsWith": "5"]], 5, false), (["a": ["$startsWith": ["x", "y"]]], ["y"], false),
            (["a": ["$inNetwork": "10.0.0.0/8"]], "10.0.0.1", true), (["a": ["$inNetwork": "10.0.0.0/8"]], 10, false),
            (
                ["a": ["$after": ["instant": "2026-01-01T00:00:00Z", "epoch": "seconds"]]], 1_767_225_601, true
            ),
            (
                ["a": ["$after": ["instant": "2026-01-01T00:00:00Z", "epoch": "milliseconds"]]], 1_767_225_601, false
            ),
            (["a": ["$elemMatch": ["$or": [["$gt": 5], ["$lt": 1]]]]], [3, 6], true),
            (["a": ["$elemMatch": ["$or": [["$gt": 5], ["$lt": 1]]]]], [3, 4], false),
            (["a": ["$elemMatch": ["$not": ["$or": [["$gt": 5], ["$lt": 1]]]]]], [0, 6, 3], true),
            (["a": ["$elemMatch": ["$nor": [["$gt": 5], ["$lt": 1]]]]], [0, 6], false),
            (["a": ["$elemMatch": ["$gt": 0, "$and": [["$lt": 9], ["$not": ["$eq": 5]]]]]], [5, 9], false),
            (["a": ["$elemMatch": ["$and": [["$exists": true], ["x": 1]]]]], [["x": 1]], true),
            (["a": ["$elemMatch": ["$not": 5]]], [5], false), (["a": ["$elemMatch": ["$not": [:]]]], [[:]], false),
            (["a": ["$in": ["x"]]], ["y", "x"], true), (["a": ["$nin": ["x"]]], ["y", "x"], false),
            (["a": ["$all": ["x", ["$startsWith": "y"]]]], ["yes", "x"], true), (["a": ["$all": ["x"]]], "x", false),
            (["a": ["$alli": ["X"]]], ["x"], true), (["a": ["$size": 2]], [1, 2], true),
            (["a": ["$size": ["$gt": 2]]], [1, 2], false),
            (["a": ["$elemMatch": ["$eq": 0]]], [1, 0], true),
            (["a": ["$elemMatch": ["x": 1, "y": ["$gt": 5]]]], [["x": 1, "y": 6]], true),
            (["a": ["$elemMatch": ["x.y": 1]]], [["x": ["y": 1]]], true),
            (["a": ["$elemMatch": ["$not": ["$eq": 1]]]], [1, 1], false),
            (["a": ["$elemMatch": ["$or": [["x": 1], ["x": 2]]]]], [["x": 3], ["x": 2]], true),
            (["a": ["x": 1, "y": [1, .null]]], ["y": [1, .null], "x": 1.0], true), (["a": [1, 2]], [2, 1], false),
            (["a.b": 1], ["b": 1], true), (["a.b": 1], ["c": 1], false), (["a.b": 1], 5, false),
            (["a": ["$type": "array"]], [], true), (["a": ["$type": "boolean"]], false, true),
            (["a": .null], .null, true),
            (["a": ["$exists": true]], .null, false), (["a": ["$exists": true]], false, true),
        ] as [(JSONValue, JSONValue, Bool)])
    func typedValues(condition: JSONValue, value: JSONValue, expected: Bool) throws {
        #expect(try ConditionHarness(condition).holds(["a": value]) == expected)
    }

    @Test("A dot leads into an object whatever follows it, in attributes and in elements of lists")
    func dotsBeforeCombiningMarks() throws {
        let name = "\u{301}b"
        #expect(try ConditionHarness(["a.\(name)": 1]).holds(["a": .object([name: 1])]))
        let elements = JSONValue.array([.object(["x": .object([name: 1])])])
        #expect(try ConditionHarness(["a": ["$elemMatch": .object(["x.\(name)": 1])]]).holds(["a": elements]))
    }

    @Test("An attribute with a dot in its name takes precedence over a path")
    func aColumnWithADotIsThePathItself() throws {
        var subject = Subject(id: "unit")
        subject.setUntyped("father.age", "70")
        #expect(try ConditionHarness(["father.age": ["$gt": 65]]).holds(subject))
    }

    @Test(
        arguments: [
            (["a": ["$gtt": 5]], "unknown operator \"$gtt\""),
            (["$an": []], "unknown operator \"$an\""),
            (["$gt": 5], "$gt tests a value and belongs below an attribute's name, as in {\"country\": {\"$gt\": …}}"),
            (
                ["a": ["$and": []]],
                "$and joins whole conditions and is not allowed below an attribute's name; write it around them"
            ),
            (["a": ["$in": 5]], "$in takes a list of values, not the number 5; write [5]"),
            (["a": ["$in": [[1]]]], "$in takes text, numbers, booleans and null, not a list"),
            (["a": ["$gt": true]], "$gt takes a number or text, not true"),
            (["a": ["$gt": 5, "b": 1]], "operators and plain members are mixed; use one or the other"),
            (
                ["a": ["$vgt": "1.x"]],
                "\"1.x\" is not a version; write it as major.minor.patch without leading zeros, such as 2.3.0"
            ),
            (["a": ["$exists": 1]], "$exists takes true or false, not the number 1"),
            (
                ["a": ["$type": "strin"]],
                "unknown type \"strin\"; the types are string, number, boolean, array, object, null"
            ),
            (["a": ["$regex": "("]], "the pattern is invalid: missing ): (; patterns follow RE2's syntax"),
            (
                ["a": ["$regex": "(a)\\1"]],
                "the pattern is invalid: invalid escape sequence: \\1; patterns follow RE2's syntax"
            ),
            (["a": ["$inGroup": "none"]], "unknown group \"none\""), (["$segment": "none"], "unknown segment \"none\""),
            (["$or": ["a": 1]], "expected a list of conditions, not a map"),
            (["$not": 5], "a condition is a map of attribute names to tests, not the number 5"),
            ("everyone", "a condition is a map of attribute names to tests, not the text \"everyone\""),
            (["a": ["$size": -1]], "$size takes a whole number or operators such as {\"$gt\": 2}, not the number -1"),
            (
                ["a": ["$before": 1_512_543_600_000]],
                "$before takes an instant as text, not the number 1512543600000; write \"2017-12-06T07:00:00Z\", and "
                    + "if the attribute is such a number too, {\"instant\": \"2017-12-06T07:00:00Z\", \"epoch\": "
                    + "\"milliseconds\"}"
            ),
            (
                ["a": ["$after": 1_512_543_600]],
                "$after takes an instant as text, not the number 1512543600; write \"2017-12-06T07:00:00Z\", and if "
                    + "the attribute is such a number too, {\"instant\": \"2017-12-06T07:00:00Z\", \"epoch\": "
                    + "\"seconds\"}"
            ),
            (
                ["a": ["$after": 5]],
                "$after takes an instant as text, not the number 5; an instant is RFC 3339 with an offset, such as "
                    + "2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00"
            ),
            (
                ["a": ["$after": ["instant": "2026-01-01T00:00:00Z"]]],
                "$after takes two keys for an attribute that is a number, as in {\"instant\": "
                    + "\"2026-11-21T12:00:00Z\", \"epoch\": \"seconds\"}"
            ),
            (
                ["a": ["$after": ["instant": "2026-01-01T00:00:00Z", "epoch": "minutes"]]],
                "unknown epoch \"minutes\"; the attribute counts \"seconds\" or \"milliseconds\" since 1970"
            ),
            (
                ["a": ["$after": ["instant": "2026-01-01T00:00:00Z", "epoch": "seconds", "zone": "UTC"]]],
                "unknown key \"zone\" in the operand of $after"
            ),
            (["a": ["$startsWith": []]], "$startsWith has an empty list; list at least one text"),
            (["a": ["$startsWith": ["x", 5]]], "$startsWith takes text, not the number 5; put it in quotes"),
            (["a": ["$endsWithi": true]], "$endsWithi takes text or a list of texts, not true; put it in quotes"),
            (["a": ["$inNetwork": "10.0.0.1/8"]], "\"10.0.0.1/8\" has bits after its prefix; write 10.0.0.0/8"),
            (
                ["a": ["$elemMatch": ["$gt": 5, "x": 1]]],
                "operators test the element itself and names test its members; use one or the other, or join them with "
                    + "$and"
            ),
            (["a": ["$elemMatch": ["$or": [["$gtt": 5]]]]], "unknown operator \"$gtt\""),
        ] as [(JSONValue, String)])
    func faults(condition: JSONValue, message: String) {
        #expect {
            try ConditionHarness(condition)
        } throws: { error in
            (error as? ConditionHarness.InvalidCondition)?.messages.contains(message) == true
        }
    }

    @Test(
        "What is doubtful is a warning",
        arguments: [
            (["$or": []], "an empty $or holds for everyone, as in GrowthBook; list conditions, or leave $or out"),
            (["$nor": []], "an empty $nor holds for no unit, as in GrowthBook; list conditions, or leave $nor out"),
            (["$and": []], "an empty $and holds for everyone, as in GrowthBook; list conditions, or leave $and out"),
            (
                ["a": ["$vgte": "1.2.3.4"]],
                "\"1.2.3.4\" has 4 numbers, and versions of Semantic Versioning have three; those after the patch "
                    + "number are compared last, so that 2.3.0 = 2.3.0.0 < 2.3.0.1 < 2.3.1"
            ),
        ] as [(JSONValue, String)])
    func warnings(condition: JSONValue, message: String) {
        let (parsed, problems) = ConditionParser.parse(condition, segments: SegmentTable())
        #expect(parsed != nil)
        #expect(problems.map(\.message) == [message])
        #expect(problems.first?.isWarning == true)
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

    @Test("Conditions refer to segments and groups by name")
    func segmentsAndGroups() throws {
        var segments = SegmentTable()
        segments.groups[UTF8Key("staff")] = ["anna", 7]
        segments.conditions[UTF8Key("europe")] =
            ConditionParser.parse(["a": ["$in": ["DE", "FR"]]], segments: segments).condition
        #expect(try ConditionHarness(["$segment": "europe"], segments: segments).holds(untyped: "FR"))
        #expect(try ConditionHarness(["a": ["$inGroup": "staff"]], segments: segments).holds(untyped: "7.0"))
        #expect(try ConditionHarness(["a": ["$notInGroup": "staff"]], segments: segments).holds(untyped: "Anna"))
        #expect(throws: ConditionHarness.InvalidCondition.self) {
            try ConditionHarness(["$segment": "staff"], segments: segments)
        }
        #expect(throws: ConditionHarness.InvalidCondition.self) {
            try ConditionHarness(["a": ["$inGroup": "europe"]], segments: segments)
        }
    }

    @Test("Segments that double in size are rejected before they grow")
    func segmentsThatDoubleAreRefusedBeforeTheyGrow() throws {
        var segments = SegmentTable()
        segments.conditions[UTF8Key("s0")] = ConditionParser.parse(["a": "x"], segments: segments).condition
        var refusedAt: Int?
        for level in 1...40 where refusedAt == nil {
            let below: JSONValue = ["$segment": .string("s\(level - 1)")]
            let (condition, problems) = ConditionParser.parse(["$or": [below, below]], segments: segments)
            if problems.isEmpty { segments.conditions[UTF8Key("s\(level)")] = condition } else { refusedAt = level }
        }
        #expect(refusedAt == 12)
    }

    /// `(a+)+$` on 1,000 "a" and a "b" takes exponential time in an engine that backtracks.
    @Test("No pattern takes more than linear time")
    func patternsAreBounded() throws {
        let text = String(repeating: "a", count: 1000) + "b"
        #expect(try !ConditionHarness(["a": ["$regex": "^(a+)+$"]]).holds(untyped: text))
        #expect(try !ConditionHarness(["a": ["$regex": "(a+)+$"]]).holds(untyped: text))
        #expect(try !ConditionHarness(["a": ["$regex": "(a|aa)+$"]]).holds(untyped: text))
    }

    @Test("A text beyond the bound does not match and is counted")
    func textBeyondTheBoundDoesNotMatchAndIsCounted() throws {
        let harness = try ConditionHarness(["a": ["$regex": "x"]])
        let bound = RegularExpression.maximumTextLength
        #expect(harness.holds(untyped: String(repeating: "x", count: bound)))
        let long = String(repeating: "x", count: bound + 1)
        #expect(!harness.holds(untyped: long))
        var evaluator = Evaluator(plan: harness.plan, at: Instant(seconds: 0))
        var subject = Subject(id: "unit")
        subject.setUntyped("a", long)
        let prepared = PreparedSubject(subject, for: harness.plan)
        evaluator.evaluate(prepared)
        #expect(evaluator.boundCount == 1)
    }
}
