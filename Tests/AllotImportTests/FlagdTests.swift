import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Flag definitions of flagd: what is decided, and what is refused and where.
struct FlagdTests {
    static func payload(_ targeting: String, evaluators: String = "{}") -> String {
        #"""
        {"$evaluators": \#(evaluators), "flags": {"color": {"state": "ENABLED", "variants": {"a": "a", "b": "b",
        "c": "c"}, "defaultVariant": "c", "targeting": \#(targeting)}}}
        """#
    }

    static func values(
        _ targeting: String, _ subjects: [JSONObject], hash: FlagdHash = .daemon
    ) throws -> [JSONValue?] {
        let definitions = try ImportCase.definitions(.flagd, payload(targeting), hash: hash)
        return subjects.map { ImportCase.value(definitions, "color", $0) }
    }

    /// Answers for plain text by the daemon's formula, with the hash of mmh3 5.2, and for CBOR by
    /// `openfeature-flagd-core` 2.0.0.
    @Test(
        "A fractional hashes the text that it names",
        arguments: [
            (#"{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}"#, .daemon, "baabaababa"),
            (#"{"cat": [{"var": "$flagd.flagKey"}, {"var": "email"}]}"#, .cbor, "aaaabbbbab"),
            (#"{"cat": ["seed", {"var": ["email", "absent"]}]}"#, .daemon, "abaaabaabb"),
            (#"{"cat": ["seed", {"var": ["email", "absent"]}]}"#, .cbor, "bababbabbb"),
            (#""fixed""#, .daemon, "aaaaaaaaaa"), (#""fixed""#, .cbor, "bbbbbbbbbb"),
            (#"{"var": "email"}"#, .daemon, "aaaccacccc"), (#"{"var": "email"}"#, .cbor, "bbbccacccc"),
            ("5", .daemon, "cccccccccc"),
        ] as [(String, FlagdHash, String)])
    func hashedText(text: String, hash: FlagdHash, expected: String) throws {
        let subjects: [JSONObject] = [
            ["email": "u1@example.com"], ["email": "u2@example.com"], ["email": "ü"], ["email": 42], [:],
            ["email": ""], ["email": true], ["email": false], ["email": ["x": 1]], ["email": []],
        ]
        let targeting = #"{"fractional": [\#(text), ["a", 30], ["b", 31]]}"#
        #expect(try Self.values(targeting, subjects, hash: hash) == expected.map { .string(String($0)) })
    }

    @Test("A user keeps what the daemon serves, which is not what the CBOR of Python gives")
    func shorthand() throws {
        let payload = #"""
            {"flags": {"checkout-color": {"state": "ENABLED", "variants": {"blue": "blue", "red": "red"},
            "defaultVariant": "blue", "targeting": {"fractional": [["blue", 50], ["red", 50]]}}}}
            """#
        func served(_ hash: FlagdHash) throws -> [JSONValue?] {
            let definitions = try ImportCase.definitions(.flagd, payload, hash: hash)
            return (1...4).map {
                ImportCase.value(definitions, "checkout-color", ["targetingKey": .string("user-\($0)")])
            }
        }
        #expect(try served(.daemon) == ["blue", "red", "blue", "red"])
        #expect(try served(.cbor) == ["red", "red", "blue", "red"])
    }

    @Test(
        "An import with a fractional says which implementations have its hash",
        arguments: [
            (#"{"fractional": [["a", 1], ["b", 1]]}"#, 1), (#"{"fractional": ["fixed", ["a", 1], ["b", 1]]}"#, 1),
            (#"{"if": [{"==": [{"var": "x"}, 1]}, "a"]}"#, 0),
        ])
    func hashNote(targeting: String, count: Int) throws {
        for hash in FlagdHash.allCases {
            let notes = try ImportCase.notes(.flagd, Self.payload(targeting), hash: hash)
            let found = notes.filter { $0.contains("openfeature-flagd-core 2.0.0") && $0.contains("daemon") }
            #expect(found.count == count, "\(notes)")
        }
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
            (#"{"cat": [{"var": "email"}, "x"]}"#, "[0].cat[1]: Allot hashes fixed text and one attribute"),
            (#"{"cat": ["x", {"var": "a.b"}]}"#, "[0].cat[1]: a member of an object cannot be a unit ID"),
            (#"{"substr": [{"var": "email"}, 1]}"#, #"[0]: a text that is computed with "substr""#),
        ])
    func refused(text: String, problem: String) throws {
        let problems = try ImportCase.problems(.flagd, Self.payload(#"{"fractional": [\#(text), ["a", 1]]}"#))
        #expect(problems.map { $0.contains("$.flags.color.targeting.fractional\(problem)") } == [true], "\(problems)")
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
        #expect(problems.map { $0.contains("depends on their order") } == [true], "\(problems)")
    }

    /// One flag with everything that is for people, in each form that flagd reads.
    @Test(
        "Definitions are read in each form that flagd reads, with their annotations",
        arguments: [
            #"{"$schema": "x", "metadata": {"a": 1}, "flags": {"color": \#(flag)}}"#,
            #"{"flags": [{"key": "color", "flagSetId": "s", \#(flag.dropFirst())]}"#,
            #"{"kind": "FeatureFlag", "spec": {"flagSpec": {"flags": {"color": \#(flag)}}}, "metadata": {}}"#,
            #"""
            {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": [{
            "apiVersion": "core.openfeature.dev/v1beta1", "kind": "FeatureFlag", "metadata": {"name": "x"},
            "spec": {"flagSpec": {"flags": {"color": \#(flag)}}}}]}
            """#,
            """
            # Flags
            kind: FeatureFlag
            apiVersion: core.openfeature.dev/v1beta1
            spec:
              flagSpec:
                flags:
                  color: \(flag)
            """,
            """
            flags:
              color:
                state: ENABLED
                defaultVariant: off
                description: Colors of buttons
                title: Color
                owner: team
                $comment: c
                _comment: c
                variants:
                  on: a
                  off: b
                targeting: { if: [{ ==: [{ var: x }, 1] }, on] }
            """,
        ])
    func forms(payload: String) throws {
        let definitions = try ImportCase.definitions(.flagd, payload)
        #expect([1, 2].map { ImportCase.value(definitions, "color", ["x": $0]) } == ["a", "b"])
        let experiment = try #require(definitions.loaded.definitions.experiments.first)
        #expect([experiment.description, experiment.owner] == ["Colors of buttons", "team"])
        #expect(!definitions.report.notes.contains { $0.contains("not known") }, "\(definitions.report.notes)")
    }

    private static let flag = #"""
        {"state": "ENABLED", "defaultVariant": "off", "variants": {"on": "a", "off": "b"}, "description":
        "Colors of buttons", "title": "Color", "owner": "team", "$comment": "c", "_comment": "c",
        "targeting": {"if": [{"==": [{"var": "x"}, 1]}, "on"]}}
        """#.replacing("\n", with: " ")

    @Test(
        "A YAML file with a mistake, and another resource, are refused with the place",
        arguments: [
            ("flags:\n  a: [", "payload:2:"), ("flags: {}\nflags: {}", "given twice"),
            (
                #"{"kind": "FeatureFlagSource", "apiVersion": "core.openfeature.dev/v1beta1"}"#,
                #"resource "FeatureFlagSource""#
            ),
            (#"{"flags": [{"state": "ENABLED", "variants": {"a": 1}}]}"#, #"$.flags[0]: "key" is missing"#),
            (#"{"flags": {"a": {}}, }"#, "not JSON"),
        ])
    func mistakes(payload: String, problem: String) throws {
        let problems = try ImportCase.problems(.flagd, payload).joined(separator: "\n")
        #expect(problems.contains(problem), "\(problems)")
    }
}
