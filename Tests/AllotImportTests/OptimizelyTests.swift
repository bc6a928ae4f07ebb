import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Optimizely's datafile: what is decided, as `optimizely-sdk` 5.7.0 does.
struct OptimizelyTests {
    /// An experiment for an audience with one test.
    static func payload(_ test: String) -> String {
        #"""
        {"version": "4", "audiences": [{"id": "1", "name": "A", "conditions": ["or", \#(test)]}], "experiments": [
        {"id": "8", "key": "e", "status": "Running", "audienceIds": ["1"], "variations": [{"id": "9", "key": "a"}],
        "trafficAllocation": [{"entityId": "9", "endOfRange": 10000}], "forcedVariations": {}}]}
        """#
    }

    @Test(
        "A long version is refused before it becomes patterns, and a long text that is not a version takes no user",
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

    /// A datafile with the members that those of projects have: a feature with an experiment and a rollout, and an
    /// experiment without a feature.
    private static func datafile(holdouts: String, local: String = "[]", kind: String = "ab") -> String {
        #"""
        {"version": "4", "revision": "42", "projectId": "19990000001", "accountId": "8362480420", "anonymizeIP": true,
        "botFiltering": false, "sdkKey": "Fp5x1", "environmentKey": "production", "sendFlagDecisions": true,
        "variables": [], "groups": [], "integrations": [], "region": "US",
        "attributes": [{"id": "31", "key": "country"}],
        "events": [{"id": "32", "key": "purchase", "experimentIds": ["20"]}],
        "typedAudiences": [{"id": "30", "name": "Germany", "conditions": ["and", ["or", ["or", {"match": "exact",
          "name": "country", "type": "custom_attribute", "value": "DE"}]]]},
          {"id": "33", "name": "Regulars", "conditions": ["or", {"match": "qualified", "name": "odp.audiences",
          "type": "third_party_dimension", "value": "regulars"}]}],
        "audiences": [{"id": "30", "name": "Germany", "conditions":
          "[\"or\", {\"name\": \"$opt_dummy\", \"type\": \"custom_attribute\", \"value\": \"$opt_dummy\"}]"}],
        "experiments": [{"id": "20", "key": "checkout_test", "status": "Running", "layerId": "21", "type": "\#(kind)",
          "audienceIds": [], "audienceConditions": [], "forcedVariations": {}, "cmab": null,
          "variations": [{"id": "22", "key": "off", "featureEnabled": false, "variables": []},
            {"id": "23", "key": "on", "featureEnabled": true, "variables": [{"id": "13", "value": "5"}]}],
          "trafficAllocation": [{"entityId": "22", "endOfRange": 2500}, {"entityId": "23", "endOfRange": 5000}]},
          {"id": "25", "key": "banner", "status": "Running", "layerId": "26", "audienceIds": [], "forcedVariations": {},
          "variations": [{"id": "27", "key": "new"}], "trafficAllocation": [{"entityId": "27", "endOfRange": 10000}]}],
        "rollouts": [{"id": "default-rollout-10-19990000001", "experiments": [{"id": "default-40", "key": "default-40",
          "status": "Running", "layerId": "default-rollout-10-19990000001", "audienceIds": [], "forcedVariations": {},
          "variations": [{"id": "41", "key": "on", "featureEnabled": true, "variables": []}],
          "trafficAllocation": [{"entityId": "41", "endOfRange": 10000}]}]}],
        "featureFlags": [{"id": "10", "key": "checkout", "rolloutId": "default-rollout-10-19990000001",
          "experimentIds": ["20"],
          "variables": [{"id": "13", "key": "steps", "type": "integer", "defaultValue": "1"}]}],
        "holdouts": \#(holdouts), "localHoldouts": \#(local)}
        """#
    }

    /// - Parameter members: Members that the holdout has in addition, each with a comma after it.
    private static func holdout(
        _ members: String = "", status: String = "Running", end: Int = 4000, entity: String = "50", isOn: Bool = false
    ) -> String {
        #"""
        [{"id": "60", "key": "winter", "status": "\#(status)", \#(members) "audienceIds": [], "variations":
        [{"id": "50", "key": "off", "featureEnabled": \#(isOn), "variables": []}],
        "trafficAllocation": [{"entityId": "\#(entity)", "endOfRange": \#(end)}]}]
        """#
    }

    private static let held: String = "Users are held out as optimizely-sdk 5.7.0 does it (\"winter\")."
    private static let idle: String = "Holdouts that are not running change nothing: \"winter\"."
    private static let listed: String = "The holdout \"winter\" has a list of flags"

    @Test(
        "Holdouts hold out the users that optimizely-sdk 5.7.0 does, and the report names them",
        arguments: [
            (datafile(holdouts: "[]"), "15-511511-1-", []),
            (datafile(holdouts: holdout()), "1--51-51----", [held]),
            (datafile(holdouts: holdout(status: "Draft")), "15-511511-1-", [idle]),
            (datafile(holdouts: holdout(status: "Concluded")), "15-511511-1-", [idle]),
            (datafile(holdouts: holdout(status: "Archived")), "15-511511-1-", [idle]),
            (datafile(holdouts: holdout(end: 0)), "15-511511-1-", [held]),
            (datafile(holdouts: holdout(end: 10000)), "------------", [held]),
            (datafile(holdouts: holdout(entity: "$opt_dummy_variation_id")), "15-511511-1-", [held]),
            (datafile(holdouts: holdout(#""audienceConditions": ["or", "30"],"#)), "15-51151----", [held]),
            (
                datafile(holdouts: holdout(#""includedFlags": ["99"], "excludedFlags": [],"#)), "1--51-51----",
                [held, listed]
            ),
            (
                datafile(holdouts: holdout(#""includedFlags": ["10"], "excludedFlags": [],"#)), "1--51-51----", [held]
            ),
            (
                datafile(holdouts: holdout(#""includedFlags": [], "excludedFlags": ["10"],"#)), "1--51-51----",
                [held, listed]
            ),
            (datafile(holdouts: holdout(#""excludeTargetedDeliveries": true,"#)), "111511511-11", [held]),
            (datafile(holdouts: holdout(#""excludeTargetedDeliveries": true,"#), kind: "td"), "15-511511-1-", [held]),
            (datafile(holdouts: "[]", local: holdout(#""includedRules": ["20"],"#)), "1--51-51----", [held]),
            (datafile(holdouts: "[]", local: holdout(#""includedRules": ["default-40"],"#)), "15-51-51----", [held]),
            (datafile(holdouts: "[]", local: holdout()), "15-511511-1-", []),
        ] as [(String, String, [String])])
    func holdouts(payload: String, expected: String, notes: [String]) throws {
        let definitions = try ImportCase.definitions(.optimizely, payload)
        let steps = (1...12).map { number in
            let user: JSONObject = ["user_id": .string("user-\(number)"), "country": number % 2 == 1 ? "DE" : "AT"]
            #expect(ImportCase.value(definitions, "banner", user) == "new")
            guard ImportCase.value(definitions, "checkout", user) == true else { return "-" }
            return ImportCase.value(definitions, "checkout.steps", user)?.canonicalText ?? "?"
        }
        #expect(steps.joined() == expected)
        let found = definitions.report.notes
        for note in [Self.held, Self.idle, Self.listed] {
            #expect(found.contains { $0.hasPrefix(note) } == notes.contains(note), "\(found)")
        }
        #expect(!found.contains { $0.contains("is not known to this importer") }, "\(found)")
    }

    @Test(
        "A holdout that cannot be exact refuses the flags that it covers, and no others",
        arguments: [
            (holdout(isOn: true), "$.holdouts[0].variations[0].featureEnabled: a holdout with a variation that is on"),
            (
                holdout(#""audienceConditions": ["or", "33"],"#),
                "$.typedAudiences[1].conditions[1]: this audience is a segment of Optimizely's data platform"
            ),
        ])
    func refusedHoldouts(holdouts: String, problem: String) throws {
        let payload = Self.datafile(holdouts: holdouts)
        let report = try ImportCase.definitions(.optimizely, payload, skipsInexact: true).report
        #expect(report.importedCount == 1)
        #expect(report.leftOut.map(\.key) == ["checkout"])
        #expect(report.leftOut.allSatisfy { "\($0.problem)".hasPrefix(problem) }, "\(report.leftOut)")
    }
}
