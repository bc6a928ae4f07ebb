import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Config specs of Statsig: what is decided, and what is refused and where.
struct StatsigTests {
    /// A gate with one condition, in the form of version 1.
    static func gate(_ condition: String, _ more: String = "") -> String {
        """
        {"feature_gates": [{"name": "g", "salt": "s", "enabled": true, "defaultValue": false, "rules": [
          {"id": "r", "passPercentage": 100, "returnValue": true, "conditions": [\(condition)]}]}]\(more)}
        """
    }

    private static let condition = "$.feature_gates[0].rules[0].conditions[0]"

    private static func field(_ name: String, _ comparison: String, _ target: String) -> String {
        #"{"type": "user_field", "field": "\#(name)", "operator": "\#(comparison)", "targetValue": \#(target)}"#
    }

    /// Whether users pass the gate `g`, one digit for each.
    private static func passed(_ users: [JSONObject], _ payload: String) throws -> String {
        let definitions = try ImportCase.definitions(.statsig, payload)
        return users.map { ImportCase.value(definitions, "g", $0) == true ? "1" : "0" }.joined()
    }

    @Test(
        "What cannot be exact is refused with its place",
        arguments: [
            (
                gate(#"{"type": "ip_based", "field": "country", "operator": "any"}"#),
                "\(condition): the country of an IP address"
            ),
            (
                gate(#"{"type": "ua_based", "field": "os_name", "operator": "any"}"#),
                "\(condition): the browser or system is read"
            ),
            (gate(#"{"type": "unit_id", "operator": "in_segment_list"}"#), "\(condition): the members of an ID list"),
            (gate(#"{"type": "moon_phase"}"#), "\(condition): conditions of the type \"moon_phase\""),
            (
                gate(field("plan", "str_contains_any", #"["5"]"#)),
                "\(condition).targetValue: the text may be found in numbers"
            ),
            (
                gate(field("email", "any", #"["ΟΔΟΣ"]"#)),
                "\(condition).targetValue: \"ΟΔΟΣ\": the lower case of a sigma"
            ),
            (
                gate(#"{"type": "user_bucket", "operator": "lt"}"#),
                "\(condition): a condition on buckets without a salt"
            ),
            (
                gate(#"{"type": "public"}"#, #", "overrides": {"g": [{"new_config_name": "h", "rules": []}]}"#),
                "$.overrides.g: overrides replace this"
            ),
            (
                gate(
                    field("companyID", "any", #"["acme"]"#)
                        + #", {"type": "unit_id", "idType": "companyID", "operator": "any", "targetValue": ["acme"]}"#),
                "\(condition): \"companyID\" is an ID type as well"
            ),
            (
                #"{"dynamic_configs": {"e": {"salt": "s", "defaultValue": {}, "entity": "autotune", "rules": []}}}"#,
                "$.dynamic_configs.e: Autotune changes the shares"
            ),
            (gate(#""missing""#), "\(condition): the payload has no condition \"missing\""),
        ])
    func refusals(payload: String, problem: String) throws {
        try ImportCase.expect(problem, of: .statsig, payload)
    }

    /// Texts that are versions for statsig-python-core 0.24.2, as far as it reads them.
    private static let versions = [
        "2026.01.15", "1.02.3", "4.05", "1.2.3-beta_3", "1.2.3-", "1.2.3-01", "1.2.3.4.5.6.7", "1.2.3+4", "1..2", "1.2",
        "1.2.0.0", "1.1.9", "1", "1.2.x", "1.", "2.", "0.9.x", "1.5-x+y", "", "-1", "v1.3", "two",
    ]

    @Test(
        "Versions are compared as statsig-python-core does",
        arguments: [
            ("gte", "1.2", "2026.01.15 1.02.3 4.05 1.2.3-beta_3 1.2.3- 1.2.3-01 1.2.3.4.5.6.7 1.2 1.2.0.0 2. 1.5-x+y"),
            ("gt", "1.2.3", "2026.01.15 4.05 1.2.3.4.5.6.7 2. 1.5-x+y"), ("eq", "1.2.0", "1.2 1.2.0.0"),
            ("lte", "1.02.0-rc", "1.2 1.2.0.0 1.1.9 1 0.9.x"),
            ("neq", "1.2.3", "2026.01.15 4.05 1.2.3.4.5.6.7 1.2 1.2.0.0 1.1.9 1 2. 0.9.x 1.5-x+y"),
            (
                "lt", "5.0",
                versions.filter { !["2026.01.15", "", "-1", "v1.3", "two"].contains($0) }.joined(separator: " ")
            ),
        ])
    func comparesVersions(name: String, target: String, expected: String) throws {
        let definitions = try ImportCase.definitions(
            .statsig, Self.gate(Self.field("build", "version_\(name)", "\"\(target)\"")))
        let found = Self.versions.filter {
            ImportCase.value(definitions, "g", ["userID": "u", "build": .string($0)]) == true
        }
        #expect(found.joined(separator: " ") == expected)
        #expect(definitions.report.notes.contains { $0.hasPrefix("Versions have to be text") })
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
                 \(Self.field("email", "any", #"["a"]"#))]},
               {"id": "r2", "groupName": "Other", "passPercentage": 100, "returnValue": {"a": 2}, "conditions": [
                 {"type": "public"}]}]}}}
            """)
        #expect(ImportCase.value(definitions, "g", ["userID": "u", "email": "a"]) == true)
        #expect(ImportCase.value(definitions, "e", ["userID": "u", "email": "a"]) == [:])
        #expect(ImportCase.value(definitions, "g", ["userID": "u", "email": "b"]) == false)
    }

    @Test("A holdout whose first rule returns false is not for the users of that rule")
    func targetedHoldout() throws {
        let payload = """
            {"feature_gates": {"held": {"salt": "s", "defaultValue": false, "entity": "holdout", "rules": [
               {"id": "a", "passPercentage": 100, "returnValue": false, "conditions": [
                 \(Self.field("email", "any", #"["a"]"#))]},
               {"id": "b", "passPercentage": 100, "returnValue": true, "conditions": [
                 \(Self.field("email", "any", #"["a", "b"]"#))]}]},
             "g": {"salt": "s", "defaultValue": false, "rules": [
               {"id": "r", "passPercentage": 100, "returnValue": true, "conditions": [
                 {"type": "pass_gate", "targetValue": "held"}]}]}}}
            """
        #expect(try Self.passed(["a", "b", "c"].map { ["userID": "u", "email": $0] }, payload) == "010")
    }

    @Test("Of targets that differ in case only, the last one counts where case matters")
    func spellings() throws {
        let payload = Self.gate(Self.field("plan", "any_case_sensitive", #"["pro", "free", "Pro"]"#))
        #expect(try Self.passed(["pro", "Pro", "free"].map { ["userID": "u", "plan": $0] }, payload) == "011")
    }

    private static let plans: [JSONValue] = [
        "pro", "Pro", "free", "Free", "5", 5, "", true, ["a"], ["a", "B"], [5], "a", "b", "B", "xproy", [],
    ]

    /// Who passes, one digit for each of ``plans`` and one for a user without a plan: answers of statsig-python-core.
    @Test(
        "A map in place of a list has the names that are in lower case, for whole texts whatever their case",
        arguments: [
            ("any", "11001110000000001"), ("none", "00110001111111110"), ("any_case_sensitive", ""),
            ("none_case_sensitive", "11111111111111111"), ("str_starts_with_any", ""), ("str_ends_with_any", ""),
            ("str_contains_any", ""), ("str_contains_none", "11111111111111111"), ("array_contains_any", ""),
            ("array_contains_none", ""), ("array_contains_all", ""), ("not_array_contains_all", ""),
        ])
    func mapsOfTexts(name: String, expected: String) throws {
        let users = Self.plans.map { ["userID": "u", "plan": $0] as JSONObject } + [["userID": "u"]]
        for values in [
            #"{"pro": true, "Free": true, "5": true, "": true}"#, #"{"pro": 0, "Free": {}, "5": [], "": null}"#,
        ] {
            let passed = try Self.passed(users, Self.gate(Self.field("plan", name, values)))
            #expect(passed == (expected.isEmpty ? String(repeating: "0", count: users.count) : expected))
        }
    }

    private static let half: String = "{" + (0..<500).map { #""\#($0)": true"# }.joined(separator: ", ") + "}"
    private static let all: String =
        "[" + (0..<1000).map { $0.isMultiple(of: 2) ? "\"\($0)\"" : "\($0)" }.joined(separator: ", ") + "]"
    private static let fractions: String = "[" + (0..<1000).map { "\($0).0" }.joined(separator: ", ") + "]"
    private static let allUsers = String(repeating: "1", count: 30)
    private static let noUser = String(repeating: "0", count: 30)

    /// Answers of statsig-python-core for the users u0 to u29.
    @Test(
        "Buckets in a list are compared as text, so that 5.0 finds no user; a map is such a list, unless case matters",
        arguments: [
            ("any", half, "000010111011100001001000000001"), ("none", half, "111101000100011110110111111110"),
            ("any_case_sensitive", half, noUser), ("none_case_sensitive", half, allUsers), ("any", all, allUsers),
            ("any", fractions, noUser),
        ])
    func buckets(name: String, target: String, expected: String) throws {
        let condition =
            #"{"type": "user_bucket", "additionalValues": {"salt": "zz"}, "operator": "\#(name)", "#
            + #""targetValue": \#(target)}"#
        let users: [JSONObject] = (0..<30).map { ["userID": .string("u\($0)")] }
        #expect(try Self.passed(users, Self.gate(condition)) == expected)
    }

    @Test(
        "Maps are read by every type of condition that compares whole texts",
        arguments: [
            ("unit_id", "null", "101", "010"), ("environment_field", #""tier""#, "100", "011"),
            ("target_app", "null", "111", "000"), ("experiment_group", #""e""#, "000", "111"),
        ])
    func mapsOfTypes(type: String, field: String, passAny: String, passNone: String) throws {
        let target = #"{"u": true, "production": true, "app-1": true, "test": true}"#
        let users: [JSONObject] = [
            ["userID": "u", "statsigEnvironment": ["tier": "production"]], ["userID": "v"], ["userID": "U"],
        ]
        for (name, expected) in [("any", passAny), ("none", passNone)] {
            let condition =
                #"{"type": "\#(type)", "field": \#(field), "operator": "\#(name)", "targetValue": \#(target)}"#
            #expect(try Self.passed(users, Self.gate(condition, #", "app_id": "APP-1""#)) == expected)
        }
    }

    @Test("An active experiment in a layer moves, with its allocation as a map of buckets")
    func layer() throws {
        let buckets = "{" + (0..<400).map { #""\#($0)": true"# }.joined(separator: ", ") + "}"
        func condition(_ name: String, _ target: String, _ salt: String) -> String {
            #"""
            {"type": "user_bucket", "targetValue": \#(target), "operator": "\#(name)", "idType": "stableID",
             "additionalValues": {"salt": "\#(salt)"}}
            """#
        }
        func rule(_ id: String, _ text: String, _ condition: String, _ member: String, _ value: String) -> String {
            #"""
            {"id": "\#(id)", "passPercentage": 100, "conditions": ["\#(condition)"], "idType": "stableID",
             "returnValue": {"text": "\#(text)"}, "\#(member)": "\#(value)"}
            """#
        }
        let definitions = try ImportCase.definitions(
            .statsig,
            #"""
            {"feature_gates": {}, "dynamic_configs": {"greeting": {"salt": "e1", "defaultValue": {"text": "Hello"},
             "idType": "stableID", "entity": "experiment", "isActive": true, "rules": [
              \#(rule("layerAssignment", "Hello", "1", "name", "layerAssignment")),
              \#(rule("c", "Hi", "2", "groupName", "Control")), \#(rule("t", "Welcome", "3", "groupName", "Test"))]}},
             "layer_configs": {"first": {"salt": "l1", "defaultValue": {"text": "Hello"}, "idType": "stableID",
              "entity": "layer", "rules": [\#(rule("a", "Hello", "4", "configDelegate", "greeting"))]}},
             "condition_map": {"1": \#(condition("none", buckets, "l1")), "2": \#(condition("lt", "500", "e1")),
              "3": \#(condition("lt", "1000", "e1")), "4": \#(condition("any", buckets, "l1"))}}
            """#)
        for unit in 1...16 {
            let text = unit == 1 ? "Hi" : unit == 10 || unit == 11 ? "Welcome" : "Hello"
            for setting in ["greeting", "first"] {
                let value = ImportCase.value(definitions, setting, ["stableID": .string("s-\(unit)")])
                #expect(value == ["text": .string(text)], "s-\(unit)")
            }
        }
        // The groups of an experiment are the variants of one.
        let variants = definitions.loaded.definitions.experiments.map { $0.variants.map(\.key) }
        #expect(variants.contains(["Control", "Test"]), "\(variants)")
    }

    /// Targets and whether 2023-07-03T00:00:00.001Z is after them: answers of statsig-python-core.
    @Test(
        "A time to compare with is text of RFC 3339, with a space or a T, or a day and a time in UTC",
        arguments: [
            ("2023-07-03 00:00:00", true), ("2023-07-03 00:00:00Z", true), ("2023-07-03T00:00:00Z", true),
            ("2023-07-03T00:00:00+00:00", true), ("2023-07-03 00:00:00+02:00", true), ("2023-07-03T00:00:00", false),
            ("2023-07-03", false), ("2023-07-03 00:00:00.5", false), ("2023-07-03 00:00", false),
            ("2023-07-03T00:00:00.123Z", false), ("2023-07-03 00:00:00-02:00", false),
        ])
    func targetTimes(target: String, isAfter: Bool) throws {
        let definitions = try ImportCase.definitions(
            .statsig, Self.gate(Self.field("since", "after", "\"\(target)\"")))
        #expect(ImportCase.value(definitions, "g", ["userID": "u", "since": 1_688_342_400_001]) == .boolean(isAfter))
        #expect(definitions.report.notes.contains { $0.contains(#""2026-11-22 00:00:00""#) })
    }

    @Test(
        "The report says which times are read otherwise where a condition compares times, and only there",
        arguments: [
            (field("since", "before", "1700000000000"), true), (field("since", "on", "1700000000000"), true),
            (#"{"type": "unit_id", "idType": "companyID", "operator": "after", "targetValue": 1700000000000}"#, true),
            (
                #"{"type": "environment_field", "field": "at", "operator": "after", "targetValue": 1700000000000}"#,
                true
            ),
            // The clock has no text.
            (#"{"type": "current_time", "operator": "after", "targetValue": 1700000000000}"#, false),
            (field("since", "gt", "1700000000000"), false),
        ])
    func noteOnTimes(condition: String, isNoted: Bool) throws {
        let notes = try ImportCase.notes(.statsig, Self.gate(condition))
        #expect(notes.contains { $0.contains("2026-11-22 00:00:00") && $0.contains("with a fraction") } == isNoted)
    }
}
