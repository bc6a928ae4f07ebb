import AllotConfiguration
import Testing

@testable import AllotImport

/// Names of experiments by the IDs of rules: an import after a rule was inserted keeps the names of the others.
struct RuleIDTests {
    private static let short = "r-2"
    private static let mixed = "5pkW337QR0G0vGJGUiCs5L"
    private static let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test(
        "Only random UUIDs are cut, whatever other IDs there are",
        arguments: [
            (short, short), (mixed, mixed), (uuid, "0f8fad5b"), (nil, nil), ("", nil),
            ("fr_40644y1alfkmyb5v12", "fr_40644y1alfkmyb5v12"), ("0f8fad5b-rule-1", "0f8fad5b-rule-1"),
            ("0192fad5-b9cb-769f-a165-70867728950e", "0192fad5-b9cb-769f-a165-70867728950e"),
            ("0f8fad5b-d9cb-469f-a165-7086772895zz", "0f8fad5b-d9cb-469f-a165-7086772895zz"),
        ] as [(String?, String?)])
    func shortIDs(id: String?, expected: String?) {
        #expect(RuleID.short(id) == expected)
    }

    @Test("A long key leaves room for the ID")
    func longKeys() {
        #expect(RuleID.name("checkout", "5pkW337Q") == "checkout-5pkW337Q")
        let name = RuleID.name(String(repeating: "k", count: 80), "5pkW337Q")
        #expect(name.utf8.count == 64)
        #expect(name.hasSuffix("k-5pkW337Q"))
        #expect(RuleID.name("checkout", String(repeating: "i", count: 80)).hasPrefix("-iii"))
    }

    /// A payload, a rule of it with the place of its ID, and by what a verification finds its experiment.
    struct Example: Sendable {
        let system: ImportSystem
        let payload: String
        let rule: String
        var names = ["f-0f8fad5b", "f-5pkW337QR0G0vGJGUiCs5L"]
        var recorded: String?
    }

    static let examples = [
        Example(
            system: .statsig,
            payload:
                #"{"feature_gates": [{"name": "f", "salt": "s", "enabled": true, "defaultValue": false, "#
                + #""rules": [RULES]}]}"#,
            rule: """
                {"id": "ID:3.00:2", "passPercentage": 100, "returnValue": true, "conditions": [
                {"type": "user_field", "field": "plan", "operator": "any", "targetValue": ["ID"]}]}
                """),
        Example(
            system: .statsig,
            payload:
                #"{"dynamic_configs": [{"name": "f", "salt": "s", "enabled": true, "defaultValue": {}, "#
                + #""rules": [RULES]}]}"#,
            rule: """
                {"id": "ID", "passPercentage": 100, "returnValue": {"a": 1}, "conditions": [
                {"type": "user_field", "field": "plan", "operator": "any", "targetValue": ["ID"]}]}
                """, recorded: "f"),
        Example(
            system: .unleash,
            payload: #"{"version": 2, "features": [{"name": "f", "enabled": true, "strategies": [RULES]}]}"#,
            rule: """
                {"id": "ID", "name": "default", "constraints": [
                {"contextName": "plan", "operator": "IN", "values": ["ID"]}]}
                """, recorded: "f"),
        Example(
            system: .launchdarkly,
            payload: """
                {"flags": {"f": {"key": "f", "on": true, "salt": "s", "variations": [true, false],
                "fallthrough": {"variation": 1}, "rules": [RULES]}}, "segments": {}}
                """,
            rule: """
                {"id": "ID", "variation": 0, "clauses": [{"attribute": "plan", "op": "in", "values": ["ID"]}]}
                """),
        Example(
            system: .growthbook, payload: #"{"features": {"f": {"defaultValue": 0, "rules": [RULES]}}}"#,
            rule: #"{"id": "ID", "force": 1, "condition": {"plan": "ID"}}"#),
        Example(
            system: .growthbook, payload: #"{"features": {"f": {"defaultValue": 0, "rules": [RULES]}}}"#,
            rule: #"{"id": "ID", "variations": [1, 2], "condition": {"plan": "ID"}}"#, recorded: "f"),
        // Eppo's logs have the whole key of an allocation.
        Example(
            system: .eppo,
            payload: """
                {"format": "SERVER", "flags": {"f": {"key": "f", "enabled": true, "variationType": "STRING",
                "totalShards": 10000, "variations": {"a": {"key": "a", "value": "a"}}, "allocations": [RULES]}}}
                """,
            rule: """
                {"key": "ID", "rules": [{"conditions": [{"attribute": "plan", "operator": "ONE_OF", "value": ["ID"]}]}],
                "splits": [{"variationKey": "a", "shards": []}], "doLog": true}
                """, names: ["f-\(uuid)", "f-\(mixed)"]),
    ]

    private static func definitions(_ example: Example, _ ids: [String]) throws -> ImportedDefinitions {
        let rules = ids.map { example.rule.replacing("ID", with: $0) }
        return try ImportCase.definitions(
            example.system, example.payload.replacing("RULES", with: rules.joined(separator: ", ")))
    }

    @Test("A rule before another one renames nothing, and a verification finds both", arguments: examples)
    func insertedRule(example: Example) throws {
        let alone = try Self.definitions(example, [Self.mixed]).loaded.definitions.experiments
        #expect(alone.map(\.key) == [example.names[1]])
        let both = try Self.definitions(example, [Self.uuid, Self.mixed]).loaded.definitions.experiments
        #expect(both.map(\.key).sorted() == example.names)
        #expect(both.map(\.description) == [example.recorded, example.recorded])
    }

    @Test("The groups of an experiment of Statsig have its name, whatever rules come before them")
    func groups() throws {
        let group = """
            {"id": "groupA", "groupName": "Control", "passPercentage": 100, "returnValue": {"a": 1}, "conditions": [
            {"type": "user_bucket", "operator": "lt", "targetValue": 500, "additionalValues": {"salt": "x"}}]}
            """
        let config = Self.examples[1]
        for (rules, keys) in [
            (group, ["f"]), ("\(config.rule.replacing("ID", with: Self.mixed)), \(group)", ["f", "f-\(Self.mixed)"]),
        ] {
            let definitions = try ImportCase.definitions(
                .statsig, config.payload.replacing("RULES", with: rules))
            let found = definitions.loaded.definitions.experiments.filter { !$0.key.hasPrefix("f-2") }
            #expect(found.map(\.key).sorted() == keys)
        }
    }
}
