import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Payloads of LaunchDarkly: what is decided, and what is refused and where.
struct LaunchDarklyTests {
    /// A flag that is on, with the given members.
    private static func flag(_ members: String) -> String {
        """
        {"flags": {"f": {"key": "f", "on": true, "salt": "s", "variations": [true, false],
          "fallthrough": {"variation": 0}, \(members)}},
         "segments": {"big": {"key": "big", "unbounded": true}, "self": {"key": "self", "rules": [{"clauses": [
           {"attribute": "", "op": "segmentMatch", "values": ["self"]}]}]},
           "draw": {"key": "draw", "salt": "s", "rules": [
             {"clauses": [], "weight": 100000, "bucketBy": "company"}]}}}
        """
    }

    private static func rule(_ clause: String) -> String {
        flag(#""rules": [{"variation": 1, "clauses": [\#(clause)]}]"#)
    }

    private static let clause = "$.flags.f.rules[0].clauses[0]"

    @Test(
        "What cannot be exact is refused with its place",
        arguments: [
            (rule(#"{"attribute": "a", "op": "isBlueish", "values": []}"#), "\(clause): the operator"),
            (rule(#"{"attribute": "", "op": "segmentMatch", "values": ["big"]}"#), "$.segments.big: a big segment"),
            (
                rule(#"{"attribute": "", "op": "segmentMatch", "values": ["self"]}"#),
                "$.segments.self: the segment refers to"
            ),
            (
                rule(#"{"attribute": "a", "op": "matches", "values": ["(?=x)"]}"#),
                "\(clause).values[0]: the pattern \"(?=x)\" cannot be moved"
            ),
            (
                rule(#"{"attribute": "a", "op": "in", "values": [9007199254740993]}"#),
                "\(clause).values[0]: 9007199254740993"
            ),
            (
                rule(#"{"attribute": "/a//b", "contextKind": "user", "op": "in", "values": [1]}"#),
                "\(clause).attribute: \"/a//b\" is not a valid reference"
            ),
            (
                rule(#"{"attribute": "a", "op": "before", "values": ["2026-01-01 00:00:00Z"]}"#),
                "\(clause).values[0]: \"2026-01-01 00:00:00Z\" is not in the form of RFC 3339"
            ),
            (#"{"flags": {"a": {"version": 1, "salt": "s"}}}"#, "$.flags.a: a flag of LaunchDarkly has \"variations\""),
            (flag(#""rules": [{"variation": 7, "clauses": []}]"#), "$.flags.f.rules[0].variation: the flag has 2"),
            (flag(#""rules": [{"clauses": []}]"#), "$.flags.f.rules[0]: there is neither a variation nor a rollout"),
            (flag(#""targets": [{"variation": 0, "values": "x"}]"#), "$.flags.f.targets[0].values: expected a list"),
        ])
    func refusals(payload: String, problem: String) throws {
        try ImportCase.expect(problem, of: .launchdarkly, payload)
    }

    @Test("A context's name is text: a number does not exist, even where a clause has the number")
    func nameIsText() throws {
        let definitions = try ImportCase.definitions(
            .launchdarkly, Self.rule(#"{"attribute": "name", "op": "in", "values": ["5", 5]}"#))
        #expect(ImportCase.value(definitions, "f", ["key": "u", "name": "5"]) == false)
        #expect(ImportCase.value(definitions, "f", ["key": "u", "name": 5]) == true)
    }

    @Test("Without a key there is not any context, also for the percentage of a segment by another attribute")
    func percentageWithoutKey() throws {
        let definitions = try ImportCase.definitions(
            .launchdarkly, Self.rule(#"{"attribute": "", "op": "segmentMatch", "values": ["draw"]}"#))
        #expect(ImportCase.value(definitions, "f", ["key": "u", "company": "a"]) == false)
        #expect(ImportCase.value(definitions, "f", ["key": "u"]) == false)
        #expect(ImportCase.value(definitions, "f", ["company": "a"]) == true)
    }

    @Test("Notes name the imported flags that use something, also in segments of segments")
    func notes() throws {
        func flag(_ key: String, _ clause: String) -> String {
            """
            "\(key)": {"key": "\(key)", "on": true, "variations": [true, false], "fallthrough": {"variation": 0},
              "rules": [{"variation": 1, "clauses": [\(clause)]}]}
            """
        }
        func segment(_ key: String, _ rule: String) -> String {
            #""\#(key)": {"key": "\#(key)", "rules": [\#(rule)]}"#
        }
        func inSegment(_ key: String) -> String { #"{"attribute": "", "op": "segmentMatch", "values": ["\#(key)"]}"# }
        let before = #"{"attribute": "a", "op": "before", "values": [5]}"#
        let payload = """
            {"flags": {\(flag("a", inSegment("outer"))), \(flag("b", before)), \(flag("c", inSegment("draw"))),
              \(flag("d", before + #", {"attribute": "a", "op": "isBlueish", "values": []}"#))},
             "segments": {\(segment("outer", #"{"clauses": [\#(inSegment("inner"))]}"#)),
              \(segment("inner", #"{"clauses": [\#(before)]}"#)),
              \(segment("draw", #"{"clauses": [], "weight": 500, "bucketBy": "company"}"#))}}
            """
        let notes = try ImportCase.definitions(.launchdarkly, payload, skipsInexact: true).report.notes
        #expect(notes.contains { $0.hasPrefix("Instants in attributes") && $0.hasSuffix("(a, b).") }, "\(notes)")
        #expect(notes.contains { $0.hasPrefix("Rollouts by another") && $0.hasSuffix("(c).") }, "\(notes)")
    }

    @Test(
        "Patterns of Python find the same texts in RE2",
        arguments: [
            ("^a$", #"^a\n?\z"#), (#"\d+"#, #"[\p{Nd}]+"#), ("(?i)ix", "(?i)[iIİı]x"), ("a{0,3}", "a{0,3}"),
            ("(?P<n>a|b)$", #"(?P<n>a|b)\n?\z"#), ("a$|b$", #"a\n?\z|b\n?\z"#), (#"[]a-c\[-]"#, #"[\]a-c\[\-]"#),
            (#"\u00e9"#, #"\x{e9}"#), (#"(?i)[^i-]\Z"#, #"(?i)[^i\-İı]\z"#),
            (#"[\s_]\W"#, #"[\s\v\x1c-\x1f\x{85}\p{Z}_][^\p{L}\p{N}_]"#),
        ])
    func patterns(pattern: String, expected: String) throws {
        #expect(try ImportedPattern(pattern, .python).text == expected)
    }

    @Test(
        "Patterns without an equal in RE2 are refused",
        arguments: [
            "a$b", #"\bword"#, #"(a)\1"#, "a++", "(?!x)", "(", "[a", "*", "a**", #"[\S]"#, "(?i)ü", "a{2000}", "(a$|b)",
            "a{,3}", "[[]",
        ])
    func refusedPatterns(pattern: String) {
        #expect(throws: PortablePattern.Refusal.self) { try ImportedPattern(pattern, .python) }
    }
}
