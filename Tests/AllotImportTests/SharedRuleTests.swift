import AllotConfiguration
import Testing

@testable import AllotImport

/// Rules that hold for several systems.
struct SharedRuleTests {
    /// A payload with names that are canonically equivalent, and decisions that distinguish them.
    struct Names: Sendable, CustomTestStringConvertible {
        let system: ImportSystem
        let payload: String
        let decisions: [(setting: String, subject: JSONObject, value: JSONValue)]

        var testDescription: String { system.rawValue }
    }

    private static func launchDarklyFlag(_ key: String) -> String {
        #"""
        "\#(key)": {"key": "\#(key)", "on": true, "variations": [true, false], "fallthrough": {"variation": 0},
        "rules": [{"variation": 1, "clauses": [{"attribute": "", "op": "segmentMatch", "values": ["\#(key)"]}]}]}
        """#
    }

    private static let flags = [#"\u00e9"#, #"e\u0301"#].map(launchDarklyFlag).joined(separator: ", ")

    static let names = [
        Names(
            system: .eppo,
            payload: #"""
                {"format": "SERVER", "flags": {"f": {"key": "f", "enabled": true, "variationType": "STRING",
                "totalShards": 10000, "variations": {"a": {"key": "\u00e9", "value": "one"},
                "b": {"key": "e\u0301", "value": "two"}}, "allocations": [
                {"key": "a", "rules": [{"conditions": [{"attribute": "x", "operator": "ONE_OF", "value": ["1"]}]}],
                "splits": [{"variationKey": "\u00e9", "shards": []}]},
                {"key": "b", "splits": [{"variationKey": "e\u0301", "shards": []}]}]}}}
                """#, decisions: [("f", ["user_id": "u", "x": "1"], "one"), ("f", ["user_id": "u"], "two")]),
        Names(
            system: .flagd,
            payload: #"""
                {"flags": {"f": {"state": "ENABLED", "variants": {"\u00e9": 1, "e\u0301": 2}, "defaultVariant":
                "\u00e9", "targeting": {"if": [{"==": [{"var": "x"}, 1]}, "e\u0301", "\u00e9"]}}}}
                """#, decisions: [("f", ["x": 1], 2), ("f", ["x": 2], 1)]),
        Names(
            system: .growthbook,
            payload: #"{"features": {"\u00e9": {"defaultValue": 1}, "e\u0301": {"defaultValue": 2}}}"#,
            decisions: [("\u{e9}", [:], 1), ("e\u{301}", [:], 2)]),
        Names(
            system: .firebase,
            payload: #"""
                {"parameters": {"p": {"conditionalValues": {"\u00e9": {"value": "x"}}}}, "conditions": [
                {"name": "\u00e9", "condition": {"true": {}}}, {"name": "e\u0301", "condition": {"false": {}}}]}
                """#, decisions: [("p", [:], "x")]),
        Names(
            system: .launchdarkly,
            payload: #"""
                {"flags": {\#(flags)}, "segments": {
                "\u00e9": {"key": "\u00e9", "included": ["u"]}, "e\u0301": {"key": "e\u0301", "included": ["v"]}}}
                """#,
            decisions: [
                ("\u{e9}", ["key": "u"], false), ("\u{e9}", ["key": "v"], true), ("e\u{301}", ["key": "v"], false),
            ]),
    ]

    @Test("Names that are canonically equivalent are two", arguments: names)
    func equivalentNames(example: Names) throws {
        let definitions = try ImportCase.definitions(example.system, example.payload)
        for (setting, subject, value) in example.decisions {
            #expect(ImportCase.value(definitions, setting, subject) == value, "\(subject)")
        }
    }

    /// Systems whose unit ID is not an attribute, with its name, and a flag and its payload for a name of an attribute.
    private static let unitNames: [(ImportSystem, String, flag: String, @Sendable (String) -> String)] = [
        (
            .eppo, "subject key", "f",
            { EppoTests.payload(#"{"attribute": "\#($0)", "operator": "ONE_OF", "value": ["42"]}"#) }
        ),
        (
            .optimizely, "user ID", "e",
            {
                OptimizelyTests.payload(
                    #"{"name": "\#($0)", "type": "custom_attribute", "match": "exact", "value": "42"}"#)
            }
        ),
    ]

    @Test("An attribute user_id is not the unit ID, and one of them needs another name", arguments: unitNames.indices)
    func attributeLikeTheUnit(index: Int) throws {
        let (system, unit, flag, payload) = Self.unitNames[index]
        try ImportCase.expect(
            #"the unit ID "\#(unit)" and the attribute "user_id" would both be "user_id"; give one of them another"#,
            of: system, payload("user_id"))
        let cases: [(names: [String: String], unit: String, attribute: String)] = [
            (["user_id": "account"], "user_id", "account"), ([unit: "device"], "device", "user_id"),
        ]
        for (names, unit, attribute) in cases {
            let definitions = try ImportCase.definitions(system, payload("user_id"), attributes: names)
            let subjects: [JSONObject] = [
                [unit: "device-1", attribute: "42"], [unit: "42", attribute: "7"], [unit: "42"],
            ]
            #expect(subjects.map { ImportCase.value(definitions, flag, $0) == .null } == [false, true, true])
        }
        for name in [unit, "\(unit).x"] {
            let problems = try ImportCase.problems(system, payload(name))
            #expect(problems.map { $0.contains("cannot be distinguished from the unit ID") } == [true], "\(problems)")
        }
    }

    @Test(
        "Texts that Allot does not read as numbers are in the report where conditions compare numbers",
        arguments: [
            (ImportSystem.eppo, EppoTests.payload(#"{"attribute": "age", "operator": "GTE", "value": 18}"#), true),
            (
                .statsig,
                StatsigTests.gate(#"{"type": "user_field", "field": "seats", "operator": "gt", "targetValue": 0}"#),
                true
            ),
            (.statsig, StatsigTests.gate(#"{"type": "public"}"#), false),
        ])
    func textsOfNumbers(system: ImportSystem, payload: String, isNoted: Bool) throws {
        let notes = try ImportCase.notes(system, payload)
        #expect(notes.contains { $0.contains(#""5." and "inf" as numbers"#) } == isNoted, "\(notes)")
    }

    private static let long = String(repeating: "x", count: 1025)

    @Test(
        "A seed that no salt can be is refused for what it has",
        arguments: [
            ("x\u{0}y", "contains U+0000"), (long, "has 1025 bytes"), ("any: seed é", nil),
        ] as [(String, String?)])
    func seeds(seed: String, fault: String?) throws {
        var conversion = PayloadImport(of: .growthbook)
        conversion.skipsInexact = true
        let rule: JSONValue = ["key": "e", "seed": .string(seed), "variations": [0, 1]]
        let report = try conversion.definitions(from: ["features": ["f": ["defaultValue": 0, "rules": [rule]]]]).report
        let problem = fault.map { "a salt has 1 to 1024 bytes without U+0000 in Allot, and this one \($0)" }
        #expect(report.leftOut.first?.problem.message == problem)
    }

    @Test("A salt of a payload is refused at its place", arguments: ["", "\u{0}", long])
    func salts(text: String) {
        let node = PayloadNode(.string(text), path: .root.appending(key: "salt"))
        let error = #expect(throws: ImportProblem.self) { try node.salt() }
        #expect(error?.path == node.path)
    }
}
