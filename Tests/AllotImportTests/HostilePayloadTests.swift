import AllotConfiguration
import Testing

@testable import AllotImport

/// Payloads with anything in place of what belongs there.
struct HostilePayloadTests {
    private static let payloads: [(system: ImportSystem, text: String)] = [
        (
            .eppo,
            #"""
            {"format": "SERVER", "bandits": {"b": [{"key": "b", "flagKey": "g", "variationKey": "x"}]},
            "flags": {"f": {"key": "f", "enabled": true, "variationType": "STRING", "totalShards": 9,
            "variations": {"a": {"key": "a", "value": "x"}}, "allocations": [{"key": "one", "startAt":
            "2026-01-01T00:00:00Z", "rules": [{"conditions": [{"attribute": "id", "operator": "GT", "value":
            "1.2.3"}, {"attribute": "x", "operator": "ONE_OF", "value": ["1", "true"]}, {"attribute": "x",
            "operator": "NOT_MATCHES", "value": "^@"}]}], "splits": [{"variationKey": "a", "shards": [{"salt":
            "s", "ranges": [{"start": 0, "end": 50}]}]}]}]}}}
            """#
        ),
        (
            .unleash,
            #"""
            {"version": 2, "segments": [{"id": 1, "constraints": [{"contextName": "x", "operator": "IN",
            "values": ["1"]}]}], "features": [{"name": "p", "enabled": true, "strategies": []}, {"name": "f",
            "enabled": true, "dependencies": [{"feature": "p", "variants": ["a"]}], "strategies": [{"name":
            "flexibleRollout", "segments": [1], "parameters": {"rollout": "50", "stickiness": "x", "groupId":
            "g"}, "constraints": [{"contextName": "x", "operator": "NUM_GT", "value": "5", "inverted": true}]},
            {"name": "remoteAddress", "parameters": {"IPs": "10.0.0.1"}}], "variants": [{"name": "a", "weight":
            1, "stickiness": "x", "payload": {"type": "json", "value": "{}"}, "overrides": [{"contextName":
            "x", "values": ["1"]}]}, {"name": "b", "weight": 1}]}]}
            """#
        ),
        (
            .optimizely,
            #"""
            {"version": "4", "audiences": [{"id": "1", "name": "A", "conditions": ["or", {"name": "x", "type":
            "custom_attribute", "match": "semver_gt", "value": "1.2"}]}], "rollouts": [{"id": "r",
            "experiments": [{"id": "4", "key": "rule", "status": "Running", "audienceIds": ["1"], "variations":
            [{"id": "5", "key": "on", "featureEnabled": true, "variables": [{"id": "6", "value": "7"}]}],
            "trafficAllocation": [{"entityId": "5", "endOfRange": 5000}], "forcedVariations": {"u": "on"}}]}],
            "featureFlags": [{"id": "2", "key": "f", "rolloutId": "r", "experimentIds": ["8"], "variables":
            [{"id": "6", "key": "v", "type": "integer", "defaultValue": "1"}]}], "groups": [{"id": "g",
            "policy": "random", "trafficAllocation": [{"entityId": "8", "endOfRange": 100}], "experiments":
            [{"id": "8", "key": "e", "status": "Running", "audienceConditions": ["not", "1"], "variations":
            [{"id": "9", "key": "a"}], "trafficAllocation": [{"entityId": "9", "endOfRange": 10000}],
            "forcedVariations": {"u": "a"}}]}], "holdouts": [{"id": "h", "key": "h", "status": "Running",
            "excludedFlags": ["2"], "excludeTargetedDeliveries": true, "variations": [{"id": "10", "key": "off"}],
            "trafficAllocation": [{"entityId": "10", "endOfRange": 500}], "audienceIds": []}]}
            """#
        ),
        (
            .flagd,
            #"""
            {"$evaluators": {"r": {"in": ["@a", {"var": "email"}]}}, "flags": {"f": {"state": "ENABLED",
            "variants": {"a": 1, "b": 2}, "defaultVariant": "a", "targeting": {"if": [{"and": [{"$ref": "r"},
            {"==": [{"var": "x"}, 5]}, {"sem_ver": [{"var": "v"}, "^", "1.2"]}, {"<": [1, {"var": "y"}, 3]}]},
            {"fractional": [["a", 1], ["b", 2]]}, "b"]}}}}
            """#
        ),
        (
            .launchdarkly,
            #"""
            {"flags": {"p": {"key": "p", "on": true, "variations": [true, false], "fallthrough": {"variation": 0}},
            "f": {"key": "f", "on": true, "salt": "s", "variations": ["a", {"x": 1}], "offVariation": 1,
            "prerequisites": [{"key": "p", "variation": 0}], "targets": [{"variation": 0, "values": ["u"]}],
            "contextTargets": [{"contextKind": "org", "variation": 1, "values": ["o"]}], "rules": [{"id": "r",
            "variation": 0, "clauses": [{"attribute": "", "op": "segmentMatch", "values": ["g"]}]}, {"variation": 1,
            "clauses": [{"attribute": "/a/b", "contextKind": "org", "op": "before", "values": [5, "soon"]},
            {"attribute": "v", "op": "semVerLessThan", "values": ["1.2"]}, {"attribute": "kind", "op": "in",
            "values": ["org"]}, {"attribute": "e", "op": "matches", "negate": true, "values": ["^a"]}]}],
            "fallthrough": {"rollout": {"seed": 5, "bucketBy": "x", "variations": [{"variation": 0, "weight": 5},
            {"variation": 1, "weight": 7}]}}}}, "segments": {"g": {"key": "g", "included": ["u"], "rules": [{"weight":
            500, "clauses": [{"attribute": "n", "op": "lessThan", "values": [5]}]}]}}}
            """#
        ),
        (
            .statsig,
            #"""
            {"feature_gates": {"segment:s": {"enabled": true, "defaultValue": false, "entity": "segment", "rules":
            [{"id": "r", "passPercentage": 50, "returnValue": true, "conditions": ["a"]}]}, "g": {"salt": "s",
            "enabled": true, "defaultValue": false, "rules": [{"id": "r", "passPercentage": 12.5, "returnValue": true,
            "idType": "x", "conditions": ["b", "c", "d", "e", "f"]}]}}, "layer_configs": {"l": {"defaultValue": {},
            "rules": [{"id": "r", "passPercentage": 100, "returnValue": {}, "configDelegate": "e", "conditions":
            ["b"]}]}}, "dynamic_configs": {"e": {"defaultValue": {"x": 1}, "rules": [{"id": "r", "groupName": "G",
            "passPercentage": 100, "returnValue": {"x": 2}, "conditions": ["g"]}]}}, "condition_map": {"a": {"type":
            "public"}, "b": {"type": "pass_gate", "targetValue": "segment:s"}, "c": {"type": "user_field", "field":
            "y", "operator": "any", "targetValue": ["1", 5, "true", ""]}, "d": {"type": "current_time", "operator":
            "on", "targetValue": 1790000000000}, "e": {"type": "user_field", "field": "appVersion", "operator":
            "version_gt", "targetValue": "1.2"}, "f": {"type": "user_field", "field": "email", "operator":
            "str_matches", "targetValue": "^a"}, "g": {"type": "user_bucket", "operator": "lt", "targetValue": 500,
            "idType": "x", "additionalValues": {"salt": "t"}}}}
            """#
        ),
        (
            .firebase,
            #"""
            {"parameters": {"p": {"valueType": "NUMBER", "description": "d", "defaultValue": {"value": "5"},
            "conditionalValues": {"c": {"value": "6"}, "d": {"value": "7"}}}}, "conditions": [{"name": "c",
            "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [{"percent":
            {"percentOperator": "BETWEEN", "seed": "s", "microPercentRange": {"microPercentLowerBound": 5,
            "microPercentUpperBound": 500}}}, {"customSignal": {"customSignalKey": "k", "customSignalOperator":
            "NUMERIC_LESS_THAN", "targetCustomSignalValues": ["5"]}}, {"customSignal": {"customSignalKey": "k",
            "customSignalOperator": "STRING_EXACTLY_MATCHES", "targetCustomSignalValues": ["a", "5"]}}]}},
            {"true": {}}]}}}, {"name": "d", "expression": "device.os in ['ios'] && app.version.matches(['^1[.]'])"}]}
            """#
        ),
    ]

    @Test("Anything in place of a value is refused or read, and never ends the program", arguments: payloads.indices)
    func anything(index: Int) throws {
        let (system, text) = Self.payloads[index]
        let payload = try JSONValue(parsing: Array(text.utf8))
        let project = try system.importer.project(PayloadNode(payload), PayloadImport(of: system))
        #expect(project.inexact.isEmpty, "\(project.inexact.map(\.problem))")
        #expect(!project.flags.isEmpty)
        let others: [JSONValue] = [-1, "", [[]], ["x": .null]]
        for other in others {
            for (_, changed) in payload.copies(change: { _ in other }) {
                do throws(ImportProblem) {
                    _ = try system.importer.project(PayloadNode(changed), PayloadImport(of: system))
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
    }

    @Test(
        "Segments of LaunchDarkly that refer to each other without end are refused",
        arguments: [
            (5000, #"{"clauses": [CLAUSE]}"#, "more than 100 deep"),
            (40, #"{"weight": 5, "clauses": [CLAUSE, CLAUSE]}"#, "more than 10000 rules"),
        ])
    func chainOfSegments(count: Int, rule: String, reason: String) throws {
        func clause(_ number: Int) -> String {
            #"{"op": "segmentMatch", "attribute": "", "values": ["s\#(number)"]}"#
        }
        let segments = (0..<count).map { number in
            let rule = rule.replacing("CLAUSE", with: clause(number + 1))
            return #""s\#(number)": {"key": "s\#(number)", "rules": [\#(rule)]}"#
        }
        let payload = """
            {"flags": {"f": {"on": true, "variations": [true, false], "fallthrough": {"variation": 0}, "rules": [
            {"variation": 1, "clauses": [\(clause(0))]}]}}, "segments": {\(segments.joined(separator: ", "))}}
            """
        let problems = try ImportCase.problems(.launchdarkly, payload)
        #expect(problems.map { $0.contains(reason) } == [true], "\(problems)")
    }

    @Test(
        "A payload that cannot be read says why",
        arguments: [
            (ImportSystem.eppo, #"{"format": "CLIENT", "flags": {}}"#, "obfuscated"),
            (.eppo, #"{"flags": {"f": {}}}"#, "variationType"), (.eppo, "{}", "flags"),
            (.eppo, #"{"flags": {"0cc175b9c0f1b6a831c399e269772661": {}}}"#, "obfuscated"),
            (.unleash, #"{"version": 9, "features": []}"#, "versions 0 to 2"),
            (.unleash, #"{"features": []}"#, "version"),
            (.optimizely, #"{"version": "5"}"#, "unknown version"), (.flagd, "[]", "an object"),
            (.launchdarkly, #"{"flags": []}"#, "expected an object"), (.statsig, #"{"feature_gates": 5}"#, "an object"),
            (.firebase, #"{"parameters": {}, "conditions": {}}"#, "expected a list"),
            (.launchdarkly, #"{"items": []}"#, "$: this is not a payload of LaunchDarkly"),
            (.statsig, #"{"flags": {}}"#, "$: these are not Statsig's config specs"),
        ])
    func unreadable(system: ImportSystem, text: String, reason: String) throws {
        let problems = try ImportCase.problems(system, text)
        #expect(problems.contains { $0.contains(reason) }, "\(problems)")
    }
}
