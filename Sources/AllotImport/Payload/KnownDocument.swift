import AllotConfiguration

/// A document of a system, by which an importer tells that it was given another one than its own.
///
/// ``all`` is the one table of them: the payloads that are imported, and what the vendors' other addresses answer.
struct KnownDocument: Sendable {
    /// The system that is imported from it, or whose vendor has it; `nil` where several have it.
    let system: ImportSystem?
    let isPayload: Bool
    let name: String
    let matches: @Sendable (JSONValue) -> Bool

    /// The reason why a document is not the payload of a system; `nil` if it may be.
    static func refusal(of document: JSONValue, for system: ImportSystem) -> String? {
        let isOwn = all.contains { $0.system == system && $0.isPayload && $0.matches(document) }
        guard !isOwn, let found = all.first(where: { $0.matches(document) }) else { return nil }
        guard let other = found.system, found.isPayload else {
            return "this looks like \(found.name), not like the payload of \(system.title): \(system.source)"
        }
        return
            "this looks like \(found.name), not like the payload of \(system.title); import it from \(other.rawValue)"
    }

    static let all: [KnownDocument] = growthbook + optimizely + eppo + unleash + launchDarkly + statsig + flagd + others

    private static func payload(
        _ system: ImportSystem, _ name: String, _ matches: @escaping @Sendable (JSONValue) -> Bool
    ) -> KnownDocument { KnownDocument(system: system, isPayload: true, name: name, matches: matches) }

    private static func answer(
        _ system: ImportSystem?, _ name: String, _ matches: @escaping @Sendable (JSONValue) -> Bool
    ) -> KnownDocument { KnownDocument(system: system, isPayload: false, name: name, matches: matches) }

    private static let growthbook = [
        payload(.growthbook, "GrowthBook's features") {
            $0["encryptedFeatures"]?.isText == true
                || $0["features"].hasEntry { $0.has("defaultValue") || $0.has("rules") } && $0["features"].isObject
        },
        answer(.growthbook, "the answer of GrowthBook's API for administrators") {
            $0["features"].hasEntry { $0.has("valueType") && $0.has("environments") }
                || $0["experiments"].hasEntry { $0.has("phases") || $0.has("trackingKey") }
                || $0["feature"]?.has("valueType") == true || $0["experiment"]?.has("phases") == true
        },
    ]

    private static let optimizely = [
        payload(.optimizely, "Optimizely's datafile") {
            $0["experiments"].isList && ($0.has("revision") || $0.has("projectId") || $0.has("accountId"))
        },
        answer(.optimizely, "the answer of Optimizely's REST API") { document in
            [document, document["items"]].contains {
                $0.hasEntry { $0.has("project_id") || $0.has("account_id") || $0.has("urn") }
            } || document.has("project_id") || document.has("account_id") || document.has("urn")
        },
    ]

    private static let eppo = [
        answer(.eppo, "Eppo's configuration before the universal one") {
            $0["flags"].hasEntry { $0.has("subjectShards") }
        },
        payload(.eppo, "Eppo's flag configuration") {
            $0["flags"].hasEntry { $0["allocations"].isList || $0.has("variationType") }
                || $0["format"]?.isText == true && $0.has("flags")
        },
        answer(.eppo, "Eppo's answers for one subject") {
            $0.has("precomputed") || $0["response"]?.isText == true && $0.has("subjectKey")
        },
        answer(.eppo, "Eppo's models of bandits") { $0["bandits"].hasEntry { $0.has("banditKey") } },
    ]

    private static let unleash = [
        answer(.unleash, "an export of Unleash") { $0.has("featureStrategies") || $0.has("featureEnvironments") },
        answer(.unleash, "the answer of Unleash's frontend API") { $0["toggles"].isList },
        answer(.unleash, "the answer of Unleash's API for administrators") {
            $0["features"].hasEntry { !$0.has("strategies") && $0["environments"].isList }
                || $0["environments"].isList && $0.has("name") && $0.has("project")
        },
        payload(.unleash, "Unleash's features for clients") {
            !$0.has("featureStrategies") && $0["features"].isList
                && $0["features"].hasEntry { $0.has("strategies") || $0.has("enabled") && !$0["environments"].isList }
                || $0["events"].hasEntry { event in changes.contains { event["type"] == .string($0) } }
        },
    ]

    private static let changes = [
        "hydration", "feature-updated", "feature-removed", "segment-updated", "segment-removed",
    ]

    private static let launchDarkly = [
        answer(.launchdarkly, "the answer of LaunchDarkly's API for administrators") { document in
            [document, document["items"]].contains { $0.hasEntry { $0.has("_links") } } || document.has("_links")
        },
        answer(.launchdarkly, "events of LaunchDarkly's protocol version 2") { document in
            [document, document["events"]].contains {
                $0.hasEntry { entry in
                    ["server-intent", "put-object", "payload-transferred"].contains { entry["event"] == .string($0) }
                }
            }
        },
        payload(.launchdarkly, "LaunchDarkly's flags for servers") { document in
            document["flagValues"].isObject
                || [document, document["data"]].contains {
                    $0?["flags"].isObject == true
                        && $0?["flags"].hasEntry {
                            $0["variations"].isList || $0.has("fallthrough") || $0.has("offVariation")
                        } == true
                }
        },
        answer(.launchdarkly, "the answer of LaunchDarkly's API for clients") { document in
            [document, document["flags"]].contains {
                $0.isObject && $0.hasEntry { $0.has("value") && ($0.has("flagVersion") || $0.has("version")) }
            }
        },
    ]

    private static let statsig = [
        answer(.statsig, "the answer of Statsig's initialize for clients", isForClients),
        answer(.statsig, "an answer of Statsig that nothing has changed since the last download") {
            $0["has_updates"] == false && !$0.has("feature_gates") && !$0.has("dynamic_configs")
        },
        payload(.statsig, "Statsig's config specs") { document in
            specs.contains { document.has($0) } && !isForClients(document)
        },
        answer(.statsig, "the answer of Statsig's API for the console") { document in
            document["data"].hasEntry { $0.has("idType") || $0.has("isEnabled") || $0.has("hypothesis") }
                || document["data"]?.has("idType") == true
        },
    ]

    private static let specs = ["feature_gates", "dynamic_configs", "layer_configs"]

    @Sendable private static func isForClients(_ document: JSONValue) -> Bool {
        specs.contains { document[$0].hasEntry { $0.has("rule_id") && $0.has("value") } }
    }

    private static let flagd = [
        payload(.flagd, "flagd's flag definitions") {
            $0["flags"].hasEntry { $0["variants"].isObject }
                || $0["spec"]?.has("flagSpec") == true || $0["spec"]?.has("featureFlagSpec") == true
                || $0["kind"]?.isText == true && $0["apiVersion"]?.isText == true
        },
        answer(.flagd, "an evaluation by OpenFeature's remote protocol") {
            $0["flags"].isList && $0["flags"].hasEntry { $0.has("reason") || $0.has("variant") }
                || $0.has("key") && $0.has("reason") && $0.has("value")
        },
    ]

    private static let others = [
        payload(.firebase, "a template of Firebase Remote Config") {
            $0["parameters"].isObject || $0["parameterGroups"].isObject
        },
        answer(.firebase, "what Firebase Remote Config answers to a client") {
            $0["entries"].isObject || $0["state"]?.isText == true && $0.has("templateVersion")
        },
        payload(.parse, "the configuration of Parse Server") { $0["params"].isObject },
        answer(nil, "the body of an error") { document in
            guard case .object(let object) = document, object.members.allSatisfy({ errorMembers.contains($0.key) })
            else { return false }
            return !document.isMapOfGrowthBookFeatures
                && (document.has("error") || document.has("errors") || document.has("message"))
        },
        payload(.growthbook, "a map of GrowthBook's features") { $0.isMapOfGrowthBookFeatures },
    ]

    private static let errorMembers: Set = [
        "code", "description", "detail", "details", "error", "error_description", "errors", "id", "instance", "message",
        "name", "path", "reason", "requestId", "request_id", "status", "statusCode", "success", "timestamp", "title",
        "type", "uuid",
    ]
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }

    fileprivate func has(_ key: String) -> Bool { self[key] != nil }
}

extension JSONValue? {
    fileprivate var isList: Bool { if case .array? = self { true } else { false } }
    fileprivate var isObject: Bool { if case .object? = self { true } else { false } }

    fileprivate func hasEntry(_ matches: (JSONValue) -> Bool) -> Bool {
        switch self {
        case .array(let elements)?: elements.contains(where: matches)
        case .object(let object)?: object.members.contains { matches($0.value) }
        default: false
        }
    }
}
