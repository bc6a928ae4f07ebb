import Allot
import AllotConfiguration
import Testing

@testable import AllotImport

/// Optimizely's datafile: what is decided, as `optimizely-sdk` 5.7.0 does.
struct OptimizelyTests {
    /// An experiment for an audience with one test.
    private static func payload(_ test: String) -> String {
        #"""
        {"version": "4", "audiences": [{"id": "1", "name": "A", "conditions": ["or", \#(test)]}], "experiments": [
        {"id": "8", "key": "e", "status": "Running", "audienceIds": ["1"], "variations": [{"id": "9", "key": "a"}],
        "trafficAllocation": [{"entityId": "9", "endOfRange": 10000}], "forcedVariations": {}}]}
        """#
    }

    @Test("An attribute user_id is not the user ID, and one of them needs another name")
    func attributeLikeTheUnit() throws {
        let payload = Self.payload(
            #"{"name": "user_id", "type": "custom_attribute", "match": "exact", "value": "42"}"#)
        let problems = try ImportCase.problems(.optimizely, payload)
        #expect(problems.count == 1 && problems[0].hasPrefix(#"the unit ID "user ID" and the attribute "user_id""#))
        var conversion = PayloadImport(of: .optimizely)
        let cases: [(names: [String: String], unit: String, attribute: String)] = [
            (["user_id": "account"], "user_id", "account"), (["user ID": "device"], "device", "user_id"),
        ]
        for (names, unit, attribute) in cases {
            conversion.attributes = names
            let definitions = try conversion.definitions(from: Array(payload.utf8))
            #expect(ImportCase.value(definitions, "e", [unit: "device-1", attribute: "42"]) == "a")
            #expect(ImportCase.value(definitions, "e", [unit: "42", attribute: "7"]) == .null)
        }
    }

    @Test(
        "A long version is refused before it becomes patterns, and a long text that is not a version takes nobody",
        arguments: [
            ("1.2.3-" + String(repeating: "a", count: 4000), "has at most 256 bytes, and this one has 4006"),
            (String(repeating: "a", count: 4000), nil),
        ] as [(String, String?)])
    func longVersions(version: String, problem: String?) throws {
        let payload = Self.payload(
            #"{"name": "v", "type": "custom_attribute", "match": "semver_gt", "value": "\#(version)"}"#)
        let problems = try ImportCase.problems(.optimizely, payload)
        #expect(problems.count == (problem == nil ? 0 : 1))
        #expect(problems.allSatisfy { $0.contains(problem ?? "") }, "\(problems)")
    }
}
