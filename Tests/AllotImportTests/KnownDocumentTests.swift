import AllotConfiguration
import Testing

@testable import AllotImport

/// Documents of other systems, and what the vendors' other addresses answer: each importer names what it was given.
struct KnownDocumentTests {
    /// Payloads of a system, with their name.
    private static let payloads: [(system: ImportSystem, name: String, text: String)] = [
        (.growthbook, "GrowthBook's features", #"{"status": 200, "features": {"a": {"defaultValue": true}}}"#),
        (.growthbook, "GrowthBook's features", #"{"encryptedFeatures": "x.y"}"#),
        (.growthbook, "a map of GrowthBook's features", #"{"message": {"defaultValue": true}, "name": {"rules": []}}"#),
        (.optimizely, "Optimizely's datafile", #"{"version": "4", "revision": "7", "experiments": []}"#),
        (
            .eppo, "Eppo's flag configuration",
            #"{"flags": {"a": {"key": "a", "variationType": "STRING", "variations": {}, "allocations": []}}}"#
        ),
        (.eppo, "Eppo's flag configuration", #"{"format": "CLIENT", "flags": {}}"#),
        (
            .unleash, "Unleash's features for clients",
            #"{"version": 2, "features": [{"name": "a", "enabled": true, "strategies": []}]}"#
        ),
        (
            .unleash, "Unleash's features for clients",
            #"{"events": [{"type": "hydration", "eventId": 1, "features": [], "segments": []}]}"#
        ),
        (
            .launchdarkly, "LaunchDarkly's flags for servers",
            #"{"flags": {"a": {"on": false, "offVariation": 0, "variations": [1], "version": 1}}}"#
        ),
        (.launchdarkly, "LaunchDarkly's flags for servers", #"{"flagValues": {"a": true}}"#),
        (
            .statsig, "Statsig's config specs",
            #"{"feature_gates": [{"name": "a", "salt": "s", "defaultValue": false, "rules": []}]}"#
        ),
        (
            .statsig, "Statsig's config specs",
            #"{"dynamic_configs": {}, "condition_map": {}, "feature_gates": {"a": {"salt": "s", "rules": []}}}"#
        ),
        (
            .flagd, "flagd's flag definitions",
            #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#
        ),
        (
            .flagd, "flagd's flag definitions",
            #"{"flags": [{"key": "a", "state": "ENABLED", "variants": {"on": true}}]}"#
        ),
        (
            .flagd, "flagd's flag definitions",
            #"{"apiVersion": "core.openfeature.dev/v1", "kind": "FeatureFlag", "spec": {"flagSpec": {}}}"#
        ),
        (.firebase, "a template of Firebase Remote Config", #"{"conditions": [], "parameters": {"a": {}}}"#),
        (.parse, "the configuration of Parse Server", #"{"params": {"a": 1}, "masterKeyOnly": {}}"#),
    ]

    /// Answers that are not imported.
    private static let answers: [(name: String, text: String)] = [
        (
            "the answer of GrowthBook's API for administrators",
            #"{"features": [{"id": "a", "valueType": "boolean", "defaultValue": "true", "environments": {}}]}"#
        ),
        (
            "the answer of GrowthBook's API for administrators",
            #"{"experiments": [{"id": "e", "trackingKey": "t", "phases": []}], "total": 1}"#
        ),
        (
            "the answer of Optimizely's REST API",
            #"[{"id": 1, "account_id": 2, "name": "Project", "platform": "custom"}]"#
        ),
        (
            "the answer of Optimizely's REST API",
            #"{"url": "/projects/1/flags", "items": [{"key": "a", "urn": "flags.flags.io.optimizely.com::1"}]}"#
        ),
        (
            "Eppo's configuration before the universal one",
            #"{"flags": {"a": {"enabled": true, "subjectShards": 10000, "rules": [], "allocations": {}}}}"#
        ),
        ("Eppo's answers for one subject", #"{"precomputed": {"subjectKey": "u", "response": "{}"}}"#),
        ("Eppo's models of bandits", #"{"bandits": {"b": {"banditKey": "b", "modelName": "falcon"}}}"#),
        (
            "the answer of Unleash's frontend API",
            #"{"toggles": [{"name": "a", "enabled": true, "variant": {"name": "disabled"}}]}"#
        ),
        ("an export of Unleash", #"{"features": [{"name": "a"}], "featureStrategies": [], "featureEnvironments": []}"#),
        (
            "the answer of Unleash's API for administrators",
            #"{"version": 2, "features": [{"name": "a", "environments": [{"name": "dev"}]}]}"#
        ),
        (
            "the answer of LaunchDarkly's API for clients",
            #"{"a": {"value": true, "variation": 0, "version": 3, "flagVersion": 2, "trackEvents": false}}"#
        ),
        (
            "the answer of LaunchDarkly's API for clients",
            #"{"flags": {"a": {"value": true, "variation": 0, "version": 1}}}"#
        ),
        (
            "the answer of LaunchDarkly's API for administrators",
            #"{"items": [{"key": "a", "_links": {}, "variations": [{"value": true}]}], "_links": {}}"#
        ),
        (
            "events of LaunchDarkly's protocol version 2",
            #"{"events": [{"event": "server-intent", "data": {}}, {"event": "put-object", "data": {}}]}"#
        ),
        (
            "the answer of Statsig's initialize for clients",
            #"{"feature_gates": {"1": {"name": "1", "value": true, "rule_id": "r"}}, "dynamic_configs": {}}"#
        ),
        ("an answer of Statsig that nothing has changed", #"{"has_updates": false}"#),
        (
            "the answer of Statsig's API for the console",
            #"{"message": "ok", "data": [{"id": "g", "isEnabled": true, "idType": "userID"}], "pagination": {}}"#
        ),
        (
            "an evaluation by OpenFeature's remote protocol",
            #"{"flags": [{"key": "a", "value": true, "reason": "STATIC", "variant": "on"}]}"#
        ),
        (
            "what Firebase Remote Config answers to a client",
            #"{"entries": {"a": "1"}, "state": "UPDATE", "templateVersion": "1"}"#
        ),
        ("the body of an error", #"{"status": 400, "error": "Invalid API key"}"#),
        ("the body of an error", #"{"message": "Unauthorized", "code": "a"}"#),
        ("the body of an error", #"{"error": {"code": 403, "message": "denied", "status": "PERMISSION_DENIED"}}"#),
        ("the body of an error", #"{"errors": [{"message": "no"}]}"#),
        ("the body of an error", #"{"id": "1", "name": "NotFoundError", "message": "m", "details": []}"#),
    ]

    @Test("Every importer names the payloads of all other systems, and takes its own", arguments: ImportSystem.allCases)
    func otherSystems(system: ImportSystem) throws {
        #expect(Set(Self.payloads.map(\.system)) == Set(ImportSystem.allCases))
        for (owner, name, text) in Self.payloads {
            let problems = try ImportCase.problems(system, text).joined(separator: "\n")
            let isNamed = problems.contains(
                "$: this looks like \(name), not like the payload of \(system.title); import")
            #expect(isNamed == (owner != system), "\(text): \(problems)")
        }
    }

    @Test("Every importer names what the vendors' other addresses answer", arguments: ImportSystem.allCases)
    func otherAddresses(system: ImportSystem) throws {
        for (name, text) in Self.answers {
            let problems = try ImportCase.problems(system, text).joined(separator: "\n")
            #expect(problems.contains("$: this looks like \(name)"), "\(text): \(problems)")
            #expect(problems.contains(": \(system.source)"), "\(problems)")
        }
    }

    @Test("Bytes that are not a text of JSON are named by their format", arguments: ImportSystem.allCases)
    func bytes(system: ImportSystem) throws {
        let samples: [(bytes: [UInt8], name: String)] = [
            ([0x1F, 0x8B, 8, 0], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD, 0], "Zstandard"), ([0x50, 0x4B, 3, 4], "zip"),
            (Array("BZh91".utf8), "bzip2"), ([0xFD] + "7zXZ".utf8, "xz"), ([0x78, 0x9C, 1], "zlib"),
            ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x7B], "UTF-16"), ([0x7B, 0, 0x7D, 0], "UTF-16"),
            ([0, 0x7B, 0, 0x7D], "UTF-16"), (Array("<!DOCTYPE html><html>".utf8), "HTML or XML"),
            ([0xEF, 0xBB, 0xBF] + "<?xml version=\"1.0\"?>".utf8, "HTML or XML"),
            (Array("event: put\ndata: {\"path\": \"/\"}\n\n".utf8), "server-sent events"),
        ]
        for sample in samples {
            let error = #expect(throws: ImportError.self) {
                try PayloadImport(of: system).definitions(from: sample.bytes)
            }
            #expect(error?.description.contains(sample.name) == true, "\(String(describing: error))")
        }
    }
}
