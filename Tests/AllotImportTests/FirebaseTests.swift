import Allot
import AllotConfiguration
import Testing

@testable import AllotImport

/// Server templates of Firebase Remote Config: what is decided, and what is refused and where.
@Suite struct FirebaseTests {
    private static let payload = """
        {"parameters": {"color": {"valueType": "STRING", "defaultValue": {"value": "red"}, "conditionalValues": {
           "third": {"value": "green"}, "half": {"value": "blue"}}}},
         "conditions": [
           {"name": "third", "condition": {"percent": {"percentOperator": "BETWEEN", "seed": "abc",
             "microPercentRange": {"microPercentLowerBound": 0, "microPercentUpperBound": 33333333}}}},
           {"name": "half", "condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": "xyz",
             "microPercent": 50000000}}}]}
        """

    @Test("Units keep the values that firebase-admin 7.7.0 evaluates")
    func decisions() throws {
        let definitions = try ImportCase.definitions(.firebase, Self.payload)
        let units = ["user-1", "user-2", "user-3", "user-4", "user-5", "user-6", "ü", "日本"]
        let values = units.map { ImportCase.value(definitions, "color", ["randomization_id": .string($0)]) }
        #expect(values == ["red", "blue", "red", "green", "red", "red", "red", "blue"])
    }

    private static func template(_ condition: String, value: String = #"{"value": "x"}"#) -> String {
        #"{"parameters": {"p": {"conditionalValues": {"c": \#(value)}}}, "conditions": [{"name": "c", \#(condition)}]}"#
    }

    private static func signal(_ name: String, _ targets: String) -> String {
        template(
            #""condition": {"customSignal": {"customSignalKey": "k", "customSignalOperator": "\#(name)", "#
                + #""targetCustomSignalValues": \#(targets)}}"#)
    }

    private static let condition = "$.conditions[0].condition"

    @Test(
        "What cannot be exact is refused with its place",
        arguments: [
            (template(#""expression": "device.os == 'ios'""#), "$.conditions[0].expression: the condition \"c\" is an"),
            (
                template(#""condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "microPercent": 5}}"#),
                "\(condition).percent: a percentage without a seed"
            ),
            (template(#""condition": {"moon": {}}"#), "\(condition): a condition with the members moon"),
            (
                signal("STRING_CONTAINS_REGEX", #"["(?=x)"]"#),
                "\(condition).customSignal.targetCustomSignalValues[0]: the pattern has no equal"
            ),
            (
                signal("NUMERIC_EQUAL", #"["five"]"#),
                "\(condition).customSignal.targetCustomSignalValues[0]: \"five\" is not a number"
            ),
            (
                signal("SEMANTIC_VERSION_EQUAL", #"["1.x"]"#),
                "\(condition).customSignal.targetCustomSignalValues[0]: \"1.x\" is not a version"
            ),
            (
                template(
                    #""condition": {"true": {}}"#, value: #"{"personalizationValue": {"personalizationId": "x"}}"#),
                "$.parameters.p.conditionalValues.c.personalizationValue: a personalization"
            ),
        ])
    func refusals(payload: String, problem: String) throws {
        let problems = try ImportCase.problems(.firebase, payload)
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }

    @Test("Values have the types that the template says, and null stands for the app's own default")
    func values() throws {
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

    @Test("What a client fetched is not taken for a template")
    func clientValues() throws {
        let problems = try ImportCase.problems(.firebase, #"{"entries": {"a": "b"}, "state": "UPDATE"}"#)
        #expect(problems.count == 1 && problems[0].hasPrefix("$: these are the values that a client fetched"))
    }
}
