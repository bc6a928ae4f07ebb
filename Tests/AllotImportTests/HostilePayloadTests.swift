import AllotConfiguration
import Testing

@testable import AllotImport

/// Payloads with anything in place of what belongs there.
@Suite struct HostilePayloadTests {
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
            "forcedVariations": {"u": "a"}}]}]}
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
    ]

    @Test("Anything in place of a value is refused or read, and never ends the program", arguments: payloads.indices)
    func anything(index: Int) throws {
        let (system, text) = Self.payloads[index]
        let payload = try JSONValue(parsing: Array(text.utf8))
        let project = try system.importer.project(PayloadNode(payload))
        #expect(project.inexact.isEmpty, "\(project.inexact.map(\.problem))")
        #expect(!project.flags.isEmpty)
        let others: [JSONValue] = [-1, "", [[]], ["x": .null]]
        for other in others {
            for changed in Self.changes(of: payload, to: other) {
                do throws(ImportProblem) {
                    _ = try system.importer.project(PayloadNode(changed))
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
    }

    /// The value with one of its parts replaced, for each part.
    private static func changes(of value: JSONValue, to other: JSONValue) -> [JSONValue] {
        var changed = [other]
        switch value {
        case .array(let elements):
            for index in elements.indices {
                for element in changes(of: elements[index], to: other) {
                    var copy = elements
                    copy[index] = element
                    changed.append(.array(copy))
                }
            }
        case .object(let object):
            for member in object.members {
                for value in changes(of: member.value, to: other) {
                    var copy = object
                    copy[member.key] = value
                    changed.append(.object(copy))
                }
            }
        default: break
        }
        return changed
    }

    @Test(
        "A payload that cannot be read says why",
        arguments: [
            (ImportSystem.eppo, #"{"format": "CLIENT", "flags": {}}"#, "obfuscated"),
            (.eppo, #"{"flags": {"f": {}}}"#, "totalShards"), (.eppo, "{}", "flags"),
            (.unleash, #"{"version": 9, "features": []}"#, "versions 0 to 2"),
            (.unleash, #"{"features": []}"#, "version"),
            (.optimizely, #"{"version": "5"}"#, "unknown version"), (.flagd, "[]", "an object"),
        ])
    func unreadable(system: ImportSystem, text: String, reason: String) throws {
        let payload = try JSONValue(parsing: Array(text.utf8))
        do throws(ImportError) {
            _ = try PayloadImport(of: system).definitions(from: payload)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }
}
