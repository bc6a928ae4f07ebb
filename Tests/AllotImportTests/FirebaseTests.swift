import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Server templates of Firebase Remote Config: what is decided, and what is refused and where.
struct FirebaseTests {
    private static func template(_ condition: String, value: String = #"{"value": "x"}"#) -> String {
        #"{"parameters": {"p": {"conditionalValues": {"c": \#(value)}}}, "conditions": [{"name": "c", \#(condition)}]}"#
    }

    static func signal(_ name: String, _ targets: String) -> String {
        template(
            #""condition": {"customSignal": {"customSignalKey": "k", "customSignalOperator": "\#(name)", "#
                + #""targetCustomSignalValues": \#(targets)}}"#)
    }

    /// - Parameter text: Without quotes, and with backslashes as JSON has them.
    private static func expression(_ text: String) -> String {
        template(#""expression": "\#(text)""#)
    }

    @Test(
        "An expression that cannot be exact is refused with its place",
        arguments: [
            ("percent <= 10", "a percentage of a client template"),
            ("true && Percent('seed') between 0 and 5", "a percentage"),
            ("app.audiences.inAtLeastOne(['x'])", "\"app.audiences.inAt"),
            ("app.userProperty['x'] < 5", "\"app.userProperty\" cannot be imported from an expression"),
            ("app.firstOpenTimestamp > ('2026-01-01T00:00:00')", "\"app.firstOpenTimestamp\" cannot be imported"),
            ("dateTime < dateTime('2026-01-01T00:00:00')", "\"dateTime\" cannot"),
            ("!(device.os == 'ios')", "\"!(device.os == 'ios')\" cannot be"), ("", "a test is missing here"),
            ("device.os == 'ios' &&", "a test is missing here"),
            ("device.os == 'ios' || true", "only \"&&\" can follow a test, not \"|| true\""),
            ("device.os > 'ios'", "the operator \">\" with one text"),
            ("device.os == ['ios', 'android']", "the operator \"==\" with 2 texts is not known"),
            ("device.os.contains(['i'])", "the operator \".contains\" with"),
            ("app.version.>=(['1', '2'])", "the operator \".>=\" with 2 texts is not known"),
            ("app.version.>=(['2.0.0-beta'])", "\"2.0.0-beta\" is not a version of up to six numbers"),
            ("app.version.matches(['('])", "the pattern \"(\" is not valid"),
            (#"app.version.matches(['\\n'])"#, "the backslash in"),
            (#"app.version.matches(['\\\\d'])"#, "the backslash in"),
            ("app.id == ios", "expected a text in single quotes at \"ios\""),
            ("app.id in ['a', 'b'", "a list of texts does not end"),
        ])
    func refusedExpressions(text: String, problem: String) throws {
        try ImportCase.expect("$.conditions[0].expression: \(problem)", of: .firebase, Self.expression(text))
    }

    @Test(
        "A condition or value that cannot be exact is refused with its place",
        arguments: [
            (
                template(#""condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "microPercent": 5}}"#),
                "$.conditions[0].condition.percent: a percentage without a seed"
            ),
            (template(#""condition": {"moon": {}}"#), "$.conditions[0].condition: a condition with the members moon"),
            (signal("STRING_CONTAINS_REGEX", #"["(?=x)"]"#), "\(target): the pattern \"(?=x)\" cannot be moved"),
            (signal("NUMERIC_EQUAL", #"["five"]"#), "\(target): \"five\" is not a number"),
            (signal("SEMANTIC_VERSION_EQUAL", #"["1.x"]"#), "\(target): \"1.x\" is not a version"),
            (
                template(
                    #""condition": {"true": {}}"#, value: #"{"personalizationValue": {"personalizationId": "x"}}"#),
                "$.parameters.p.conditionalValues.c.personalizationValue: a personalization"
            ),
        ])
    func refusals(payload: String, problem: String) throws {
        try ImportCase.expect(problem, of: .firebase, payload)
    }

    private static let target = "$.conditions[0].condition.customSignal.targetCustomSignalValues[0]"

    /// The values of an attribute for which the parameter has the value of its condition.
    private func values(
        among values: [JSONValue], of attribute: String = "k", _ payload: String
    ) throws -> [JSONValue] {
        let definitions = try ImportCase.definitions(.firebase, payload)
        return values.filter { ImportCase.value(definitions, "p", [attribute: $0]) == "x" }
    }

    @Test(
        "Signals that Python takes for false are missing, and true is the text True",
        arguments: [
            ("STRING_DOES_NOT_CONTAIN", #"["x"]"#, [true, ["a"], ["a": 1], 0.5, "True", "true"]),
            ("STRING_DOES_NOT_CONTAIN", #"["T"]"#, [["a"], ["a": 1], 0.5, "x", "true"]),
            ("STRING_CONTAINS", #"["ru"]"#, [true, "True", "true"]),
            ("STRING_CONTAINS_REGEX", #"["^t|e$"]"#, [true, "True", "true"]),
            ("STRING_EXACTLY_MATCHES", #"["True ", "False", "[]", " 0.5"]"#, [true, 0.5, "True"]),
            ("STRING_EXACTLY_MATCHES", #"["true", "5"]"#, ["true"]),
        ] as [(String, String, [JSONValue])])
    func falseAndTrue(name: String, targets: String, expected: [JSONValue]) throws {
        let all: [JSONValue] = [.null, "", 0, false, [], [:], true, ["a"], ["a": 1], 0.5, "True", "x", "true"]
        // firebase-admin 7.7.0 finds these.
        #expect(try values(among: all, Self.signal(name, targets)) == expected)
    }

    @Test(
        "Versions are compared as firebase-admin does",
        arguments: [
            ("GREATER_EQUAL", "1.2", ["2026.01.15", "1.02.3", "1.2.3.4.5.6.7", "1.2", "1.2.0.0", "1.10"]),
            ("GREATER_THAN", "1.2.3", ["2026.01.15", "1.2.3.4.5.6.7", "1.10"]),
            ("EQUAL", "01.2.0", ["1.2", "1.2.0.0"]),
            ("NOT_EQUAL", "1.2.3", ["2026.01.15", "1.2.3.4.5.6.7", "1.2", "1.2.0.0", "1.10", "1"]),
            ("LESS_EQUAL", "1.2", ["1.2", "1.2.0.0", "1"]), ("LESS_THAN", "1.2.0.1", ["1.2", "1.2.0.0", "1"]),
        ] as [(String, String, [JSONValue])])
    func versions(name: String, target: String, expected: [JSONValue]) throws {
        let all: [JSONValue] = [
            "2026.01.15", "1.02.3", "1.2.3.4.5.6.7", "1.2", "1.2.0.0", "1.10", "1", "1..2", "1.", "1.2.3-", "v2", "-1",
            "",
        ]
        #expect(try values(among: all, Self.signal("SEMANTIC_VERSION_\(name)", "[\"\(target)\"]")) == expected)
    }

    @Test(
        "Expressions of client templates that randomise nothing are conditions on attributes",
        arguments: [
            ("device.os == 'ios'", "device_os", ["ios"]),
            ("device.os != 'ios'", "device_os", texts.filter { $0 != "ios" }),
            ("device.os in ['ios', 'android']", "device_os", ["ios", "android"]),
            ("app.id == '1:23:ios:ab'", "app_id", ["1:23:ios:ab"]),
            ("app.firebaseInstallationId in ['ios', 'DE']", "firebase_installation_id", ["ios", "DE"]),
            ("device.country in ['DE', 'AT']", "device_country", ["DE"]),
            ("device.country in ['DE','AT']&&true", "device_country", ["DE"]),
            ("device.language in ['DE']", "device_language", ["DE"]),
            ("app.version.<(['2.0'])", "app_version", ["1.10", "1.2.3"]),
            ("app.version.<=(['2.0.0'])", "app_version", ["2.0", "1.10", "1.2.3"]),
            ("app.version.==(['2'])", "app_version", ["2.0"]),
            ("app.version.!=(['2'])", "app_version", ["1.10", "1.2.3", "2026.01.15"]),
            ("app.version.>(['1.2.3'])", "app_version", ["2.0", "1.10", "2026.01.15"]),
            ("app.version.>=(['1.2.3'])", "app_version", ["2.0", "1.10", "1.2.3", "2026.01.15"]),
            ("app.build.>=(['1.10'])", "app_build", ["2.0", "1.10", "2026.01.15"]),
            ("app.version.exactlyMatches(['2.0', '2'])", "app_version", ["2.0"]),
            ("app.version.contains(['.0', '2.3'])", "app_version", ["2.0", "1.2.3", "2026.01.15", "2.0-beta"]),
            ("app.version.notContains(['1'])", "app_version", ["ios", "android", "iOS", "", "DE", "2.0", "2.0-beta"]),
            (#"app.version.matches(['^1\\.', 'beta$'])"#, "app_version", ["1.10", "1.2.3", "2.0-beta"]),
            ("device.os == 'ios' && FALSE", "device_os", []),
            ("app.version.>=(['1.2']) && app.version.<(['2'])", "app_version", ["1.10", "1.2.3"]),
        ] as [(String, String, [JSONValue])])
    func expressions(text: String, attribute: String, expected: [JSONValue]) throws {
        let payload = Self.expression(text)
        #expect(try values(among: Self.texts + [.null], of: attribute, payload) == expected)
        let notes = try ImportCase.notes(.firebase, payload)
        #expect(notes.contains { $0.contains("device.os as device_os") && $0.hasSuffix("(p).") }, "\(notes)")
        let areVersions = text.contains("<") || text.contains(">") || text.contains(".==") || text.contains(".!=")
        #expect(notes.contains { $0.hasPrefix("app_version and app_build have") } == areVersions, "\(notes)")
    }

    private static let texts: [JSONValue] = [
        "ios", "android", "iOS", "", "DE", "1:23:ios:ab", "2.0", "1.10", "1.2.3", "2026.01.15", "2.0-beta",
    ]

    @Test("An expression that cannot be imported leaves parameters without it alone")
    func partsOfClientTemplates() throws {
        let payload = #"""
            {"conditions": [
              {"name": "some", "expression": "percent <= 5", "tagColor": "PINK"},
              {"name": "iOS, new", "expression": "device.os == 'ios' && app.version.>=(['2.1.0'])"},
              {"name": "everyone", "expression": "true"}],
             "parameters": {
              "a": {"defaultValue": {"value": "1"}, "conditionalValues": {"some": {"value": "2"}}},
              "b": {"defaultValue": {"useInAppDefault": true}, "valueType": "NUMBER", "conditionalValues": {
                "everyone": {"value": "3"}, "iOS, new": {"value": "2"}}}},
             "parameterGroups": {"G": {"parameters": {"c": {"conditionalValues": {"iOS, new": {"value": "new"}}}}}},
             "version": {"versionNumber": "7", "updateOrigin": "CONSOLE"}}
            """#
        let definitions = try ImportCase.definitions(.firebase, payload, skipsInexact: true)
        #expect(definitions.report.leftOutCount == 1)
        let found = [("ios", "2.1"), ("ios", "2.0.9"), ("android", "2.1")].map { system, version in
            ["b", "c"].map {
                ImportCase.value(
                    definitions, $0, ["device_os": .string(system), "app_version": .string(version)])
            }
        }
        #expect(found == [[2, "new"], [3, .null], [3, .null]])
        // Google's servers evaluate groups, other than the admin SDKs.
        #expect(!definitions.report.notes.contains { $0.contains("group") })
    }

    @Test("A template without groups may have an empty text for them")
    func noGroups() throws {
        let payload = #"{"parameters": {"promo": {"defaultValue": {"useInAppDefault": true}}}, "parameterGroups": ""}"#
        #expect(ImportCase.value(try ImportCase.definitions(.firebase, payload), "promo", [:]) == .null)
    }

    @Test("Notes name the parameters that are imported")
    func notes() throws {
        let definitions = try ImportCase.definitions(
            .firebase,
            #"{"conditions": [{"name": "c", "condition": {"customSignal": {"customSignalKey": "k", "#
                + #""customSignalOperator": "STRING_EXACTLY_MATCHES", "targetCustomSignalValues": ["5.0"]}}}], "#
                + #""parameters": {"a": {"conditionalValues": {"c": {"value": "x"}}}, "#
                + #""b": {"conditionalValues": {"c": {"rolloutValue": {}}}}}}"#, skipsInexact: true)
        let notes = definitions.report.notes.filter { $0.contains("5.0 for the float") }
        #expect(notes.map { $0.hasSuffix("(a).") } == [true], "\(notes)")
    }

    @Test("Values have the types that the template says, and null stands for the app's own default")
    func types() throws {
        let definitions = try ImportCase.definitions(
            .firebase,
            #"{"parameters": {"a": {"valueType": "BOOLEAN", "defaultValue": {"value": "True"}}, "#
                + #""b": {"valueType": "NUMBER", "defaultValue": {"value": "0.25"}}, "#
                + #""c": {"valueType": "JSON", "defaultValue": {"value": "{\"x\": [1]}"}}, "#
                + #""d": {"defaultValue": {"useInAppDefault": true}}, "e": {}}, "#
                + #""parameterGroups": {"G": {"parameters": {"f": {"defaultValue": {"value": "in a group"}}}}}}"#)
        let values = ["a", "b", "c", "d", "e", "f"].map { ImportCase.value(definitions, $0, [:]) }
        #expect(values == [true, 0.25, ["x": [1]], .null, .null, "in a group"])
    }
}
