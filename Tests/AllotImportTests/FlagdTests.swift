import Allot
import AllotConfiguration
import Testing

@testable import AllotImport

/// Flag definitions of flagd: what is decided, and what is refused and where.
struct FlagdTests {
    private static func payload(_ targeting: String) -> String {
        #"""
        {"flags": {"color": {"state": "ENABLED", "variants": {"a": "a", "b": "b", "c": "c"}, "defaultVariant": "c",
        "targeting": \#(targeting)}}}
        """#
    }

    private static func values(_ targeting: String, _ subjects: [JSONObject]) throws -> [JSONValue?] {
        let definitions = try ImportCase.definitions(.flagd, payload(targeting))
        return subjects.map { ImportCase.value(definitions, "color", $0) }
    }

    /// Answers of `openfeature-flagd-core` 2.0.0.
    @Test(
        "A fractional hashes the text that it names",
        arguments: [
            (
                #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}"#,
                ["a", "a", "a", "a", "b", "b", "b", "b", "a", "b"]
            ),
            (#"{"cat": ["seed", {"var": ["email", "nobody"]}]}"#, ["b", "a", "b", "a", "b", "b", "a", "b", "b", "b"]),
            (#""fixed""#, ["b", "b", "b", "b", "b", "b", "b", "b", "b", "b"]),
        ])
    func hashedText(text: String, expected: [JSONValue]) throws {
        let subjects: [JSONObject] = [
            ["email": "u1@example.com"], ["email": "u2@example.com"], ["email": "ü"], ["email": 42], [:],
            ["email": ""], ["email": true], ["email": false], ["email": ["x": 1]], ["email": []],
        ]
        let targeting = #"{"fractional": [\#(text), ["a", 30], ["b", 31]]}"#
        #expect(try Self.values(targeting, subjects) == expected)
    }

    @Test(
        "An import with a fractional says which version's hash it has",
        arguments: [
            (#"{"fractional": [["a", 1], ["b", 1]]}"#, 1), (#"{"fractional": ["fixed", ["a", 1], ["b", 1]]}"#, 1),
            (#"{"if": [{"==": [{"var": "x"}, 1]}, "a"]}"#, 0),
        ])
    func hashVersion(targeting: String, count: Int) throws {
        let notes = try ImportCase.definitions(.flagd, Self.payload(targeting)).report.notes
        let found = notes.filter { $0.contains("openfeature-flagd-core 2.0.0") && $0.contains("--verify") }
        #expect(found.count == count, "\(notes)")
    }

    @Test("Variants with canonically equivalent names are two")
    func equivalentNames() throws {
        let payload = #"""
            {"flags": {"f": {"state": "ENABLED", "variants": {"\u00e9": 1, "e\u0301": 2}, "defaultVariant": "\u00e9",
            "targeting": {"if": [{"==": [{"var": "x"}, 1]}, "e\u0301", "\u00e9"]}}}}
            """#
        let definitions = try ImportCase.definitions(.flagd, payload)
        #expect(ImportCase.value(definitions, "f", ["x": 1]) == 2)
        #expect(ImportCase.value(definitions, "f", ["x": 2]) == 1)
    }

    @Test("Fixed values are compared at import, and stand for attributes that are missing")
    func fixedValues() throws {
        let own = #"{"if": [{"==": [{"var": "$flagd.flagKey"}, "color"]}, "a", "b"]}"#
        #expect(try Self.values(own, [[:]]) == ["a"])
        let other = #"{"if": [{"in": [{"var": "$flagd.flagKey"}, ["x", "y"]]}, "a", "b"]}"#
        #expect(try Self.values(other, [[:]]) == ["b"])
        let standard = #"{"if": [{">=": [{"var": ["age", 18]}, 18]}, "a", "b"]}"#
        #expect(try Self.values(standard, [[:], ["age": 17], ["age": 18], ["age": .null]]) == ["a", "b", "a", "a"])
    }

    @Test("A variant of a fractional may be an expression")
    func nested() throws {
        let targeting = #"{"fractional": [[{"if": [{"==": [{"var": "x"}, 1]}, "a", "b"]}, 1]]}"#
        let subjects: [JSONObject] = [["targetingKey": "u", "x": 1], ["targetingKey": "u"], ["x": 1]]
        #expect(try Self.values(targeting, subjects) == ["a", "b", "c"])
    }

    @Test(
        "Texts that Allot cannot hash are refused",
        arguments: [
            (#"{"var": "email"}"#, "[0]: this hashes an attribute alone"),
            (#"{"cat": [{"var": "email"}, "x"]}"#, "[0].cat[1]: Allot hashes fixed text and one attribute"),
            (#"{"cat": ["x", {"var": "a.b"}]}"#, "[0].cat[1]: a member of an object cannot be a unit ID"),
            (#"{"substr": [{"var": "email"}, 1]}"#, #"[0]: a text that is computed with "substr""#),
        ])
    func refused(text: String, problem: String) throws {
        let problems = try ImportCase.problems(.flagd, Self.payload(#"{"fractional": [\#(text), ["a", 1]]}"#))
        #expect(
            problems.count == 1 && problems[0].contains("$.flags.color.targeting.fractional\(problem)"), "\(problems)")
    }

    @Test("An evaluator may be referred to from flags, and not from another evaluator")
    func evaluators() throws {
        let flags =
            #""flags": {"f": {"state": "ENABLED", "variants": {"true": 1, "false": 2}, "targeting": {"$ref": "a"}}}"#
        func payload(_ a: String) -> String {
            #"{"$evaluators": {"a": \#(a), "b": {"==": [{"var": "x"}, 1]}}, \#(flags)}"#
        }
        let definitions = try ImportCase.definitions(.flagd, payload(#"{"!=": [{"var": "x"}, 1]}"#))
        #expect(ImportCase.value(definitions, "f", ["x": 1]) == 2)
        let problems = try ImportCase.problems(.flagd, payload(#"{"!": [{"$ref": "b"}]}"#))
        #expect(problems.count == 1 && problems[0].contains("depends on their order"), "\(problems)")
    }
}
