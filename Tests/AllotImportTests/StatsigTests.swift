import Allot
import AllotConfiguration
import Testing

@testable import AllotImport

/// Config specs of Statsig: what is decided, and what is refused and where.
struct StatsigTests {
    /// A gate with a pass percentage, and an experiment with two groups, in the form of version 2.
    private static let payload = """
        {"has_updates": true, "layer_configs": {},
         "feature_gates": {"new_checkout": {"salt": "spec", "enabled": true, "defaultValue": false,
           "entity": "feature_gate", "rules": [{"id": "r", "salt": "rule", "passPercentage": 25.5, "returnValue": true,
             "conditions": ["a"], "idType": "userID"}]}},
         "dynamic_configs": {"button_test": {"salt": "spec", "enabled": true, "defaultValue": {},
           "entity": "experiment", "rules": [
             {"id": "c", "groupName": "Control", "passPercentage": 100, "returnValue": {"color": "red"},
              "conditions": ["b"]},
             {"id": "t", "groupName": "Test", "passPercentage": 100, "returnValue": {"color": "blue"},
              "conditions": ["c"]}]}},
         "condition_map": {
           "a": {"type": "public"},
           "b": {"type": "user_bucket", "operator": "lt", "targetValue": 500, "additionalValues": {"salt": "groups"}},
           "c": {"type": "user_bucket", "operator": "lt", "targetValue": 1000, "additionalValues": {"salt": "groups"}}}}
        """

    @Test("Units keep what statsig-python-core 0.24.2 serves them")
    func decisions() throws {
        let definitions = try ImportCase.definitions(.statsig, Self.payload)
        let units = ["user-1", "user-2", "user-3", "user-4", "user-5", "user-6", "ü", "日本"]
        let gates = units.map { ImportCase.value(definitions, "new_checkout", ["userID": .string($0)]) }
        #expect(gates == [false, true, false, true, false, false, false, false])
        let colors: [JSONValue?] = units.map { unit in
            guard case .object(let value)? = ImportCase.value(definitions, "button_test", ["userID": .string(unit)])
            else { return nil }
            return value["color"]
        }
        #expect(colors == ["blue", "red", "red", "red", "red", "blue", "blue", "blue"])
    }

    @Test("The groups of an experiment are the variants of one experiment")
    func groups() throws {
        let definitions = try ImportCase.definitions(.statsig, Self.payload)
        let experiment = try #require(definitions.loaded.definitions.experiments.first { $0.key == "button_test" })
        #expect(experiment.variants.map(\.key) == ["Control", "Test"])
    }

    /// A gate with one condition, in the form of version 1.
    static func gate(_ condition: String, _ more: String = "") -> String {
        """
        {"feature_gates": [{"name": "g", "salt": "s", "enabled": true, "defaultValue": false, "rules": [
          {"id": "r", "passPercentage": 100, "returnValue": true, "conditions": [\(condition)]}]}]\(more)}
        """
    }

    private static let condition = "$.feature_gates[0].rules[0].conditions[0]"

    @Test(
        "What cannot be exact is refused with its place",
        arguments: [
            (
                gate(#"{"type": "ip_based", "field": "country", "operator": "any", "targetValue": ["DE"]}"#),
                "\(condition): the country of an IP address"
            ),
            (
                gate(#"{"type": "ua_based", "field": "os_name", "operator": "any", "targetValue": ["iOS"]}"#),
                "\(condition): the browser or system is read"
            ),
            (
                gate(#"{"type": "unit_id", "operator": "in_segment_list", "targetValue": "list"}"#),
                "\(condition): the members of an ID list"
            ),
            (gate(#"{"type": "moon_phase"}"#), "\(condition): conditions of the type \"moon_phase\""),
            (
                gate(#"{"type": "user_field", "field": "plan", "operator": "str_contains_any", "targetValue": ["5"]}"#),
                "\(condition).targetValue: it may be found in numbers"
            ),
            (
                gate(#"{"type": "user_field", "field": "email", "operator": "any", "targetValue": ["ΟΔΟΣ"]}"#),
                "\(condition).targetValue: \"ΟΔΟΣ\": the case of a final sigma"
            ),
            (
                gate(#"{"type": "user_bucket", "operator": "lt", "targetValue": 5}"#),
                "\(condition): a condition on buckets without a salt"
            ),
            (
                gate(#"{"type": "public"}"#, #", "overrides": {"g": [{"new_config_name": "h", "rules": []}]}"#),
                "$.overrides.g: overrides replace this"
            ),
            (
                gate(
                    #"{"type": "user_field", "field": "companyID", "operator": "any", "targetValue": ["acme"]}, "#
                        + #"{"type": "unit_id", "idType": "companyID", "operator": "any", "targetValue": ["acme"]}"#),
                "\(condition): \"companyID\" is an ID type as well"
            ),
            (
                gate(#"{"type": "user_field", "field": "plan", "operator": "any", "targetValue": {"a": 1}}"#),
                "\(condition).targetValue: an object in place of a list"
            ),
            (gate(#""missing""#), "\(condition): the payload has no condition \"missing\""),
        ])
    func refusals(payload: String, problem: String) throws {
        let problems = try ImportCase.problems(.statsig, payload)
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }

    /// Texts that are versions for statsig-python-core 0.24.2, as far as it reads them.
    private static let versions = [
        "2026.01.15", "1.02.3", "4.05", "1.2.3-beta_3", "1.2.3-", "1.2.3-01", "1.2.3.4.5.6.7", "1.2.3+4", "1..2", "1.2",
        "1.2.0.0", "1.1.9", "1", "1.2.x", "1.", "2.", "0.9.x", "1.5-x+y", "", "-1", "v1.3", "two",
    ]

    @Test(
        "Versions are compared as statsig-python-core does",
        arguments: [
            (
                "gte", "1.2",
                [
                    "2026.01.15", "1.02.3", "4.05", "1.2.3-beta_3", "1.2.3-", "1.2.3-01", "1.2.3.4.5.6.7", "1.2",
                    "1.2.0.0", "2.", "1.5-x+y",
                ]
            ),
            ("gt", "1.2.3", ["2026.01.15", "4.05", "1.2.3.4.5.6.7", "2.", "1.5-x+y"]),
            ("eq", "1.2.0", ["1.2", "1.2.0.0"]),
            ("lte", "1.02.0-rc", ["1.2", "1.2.0.0", "1.1.9", "1", "0.9.x"]),
            (
                "neq", "1.2.3",
                [
                    "2026.01.15", "4.05", "1.2.3.4.5.6.7", "1.2", "1.2.0.0", "1.1.9", "1", "2.", "0.9.x", "1.5-x+y",
                ]
            ),
            ("lt", "5.0", versions.filter { !["2026.01.15", "", "-1", "v1.3", "two"].contains($0) }),
        ] as [(String, String, [String])])
    func comparesVersions(name: String, target: String, expected: [String]) throws {
        let condition =
            #"{"type": "user_field", "field": "build", "operator": "version_\#(name)", "targetValue": "\#(target)"}"#
        let definitions = try ImportCase.definitions(.statsig, Self.gate(condition))
        let found = Self.versions.filter {
            ImportCase.value(definitions, "g", ["userID": "u", "build": .string($0)]) == true
        }
        #expect(found == expected)
        #expect(definitions.report.notes.contains { $0.hasPrefix("Versions have to be text") })
    }

    @Test("A report says which texts are numbers for Statsig only, if conditions compare numbers")
    func textsOfNumbers() throws {
        func notes(_ condition: String) throws -> [String] {
            try ImportCase.definitions(.statsig, Self.gate(condition)).report.notes.filter { $0.contains("\"inf\"") }
        }
        #expect(try notes(#"{"type": "user_field", "field": "seats", "operator": "gt", "targetValue": 0}"#).count == 1)
        #expect(try notes(#"{"type": "public"}"#).isEmpty)
    }

    @Test("Schedules are boundaries: a condition on the time starts and ends with its millisecond")
    func time() throws {
        let definitions = try ImportCase.definitions(
            .statsig, Self.gate(#"{"type": "current_time", "operator": "after", "targetValue": 1790000000000}"#))
        let instant = Instant(milliseconds: 1_790_000_000_000)
        #expect(ImportCase.value(definitions, "g", ["userID": "u"], at: instant) == false)
        let next = Instant(milliseconds: 1_790_000_000_001)
        #expect(ImportCase.value(definitions, "g", ["userID": "u"], at: next) == true)
    }

    @Test("A condition on a group of an experiment asks which of its rules applies, whatever the rule's percentage")
    func groupOfExperiment() throws {
        let definitions = try ImportCase.definitions(
            .statsig,
            """
            {"feature_gates": {"g": {"salt": "s", "defaultValue": false, "rules": [
               {"id": "r", "passPercentage": 100, "returnValue": true, "conditions": [
                 {"type": "experiment_group", "field": "e", "operator": "any", "targetValue": ["test", "r1"]}]}]}},
             "dynamic_configs": {"e": {"salt": "s", "defaultValue": {}, "rules": [
               {"id": "r1", "groupName": "Test", "passPercentage": 0, "returnValue": {"a": 1}, "conditions": [
                 {"type": "user_field", "field": "email", "operator": "any", "targetValue": ["a"]}]},
               {"id": "r2", "groupName": "Other", "passPercentage": 100, "returnValue": {"a": 2}, "conditions": [
                 {"type": "public"}]}]}}}
            """)
        #expect(ImportCase.value(definitions, "g", ["userID": "u", "email": "a"]) == true)
        #expect(ImportCase.value(definitions, "e", ["userID": "u", "email": "a"]) == [:])
        #expect(ImportCase.value(definitions, "g", ["userID": "u", "email": "b"]) == false)
    }

    @Test("Of targets that differ in case only, the last one counts where case matters")
    func spellings() throws {
        let definitions = try ImportCase.definitions(
            .statsig,
            Self.gate(
                #"{"type": "user_field", "field": "plan", "operator": "any_case_sensitive", "#
                    + #""targetValue": ["pro", "free", "Pro"]}"#))
        let plans: [JSONValue] = ["pro", "Pro", "free"]
        let values = plans.map { ImportCase.value(definitions, "g", ["userID": "u", "plan": $0]) }
        #expect(values == [false, true, true])
    }

    @Test("Buckets in a list are compared as text, so that 5.0 finds nobody")
    func listedBuckets() throws {
        let condition =
            #"{"type": "user_bucket", "operator": "any", "additionalValues": {"salt": "s"}, "targetValue": "#
        let all = (0..<1000).map { $0.isMultiple(of: 2) ? "\"\($0)\"" : "\($0)" }.joined(separator: ", ")
        let everyone = try ImportCase.definitions(.statsig, Self.gate(condition + "[\(all)]}"))
        #expect(ImportCase.value(everyone, "g", ["userID": "u"]) == true)
        let fractions = (0..<1000).map { "\($0).0" }.joined(separator: ", ")
        let nobody = try ImportCase.definitions(.statsig, Self.gate(condition + "[\(fractions)]}"))
        #expect(ImportCase.value(nobody, "g", ["userID": "u"]) == false)
    }

    @Test("Another document is not taken for a payload")
    func otherDocument() throws {
        let problems = try ImportCase.problems(.statsig, #"{"flags": {}}"#)
        #expect(problems.count == 1 && problems[0].hasPrefix("$: these are not Statsig's config specs"))
    }
}
