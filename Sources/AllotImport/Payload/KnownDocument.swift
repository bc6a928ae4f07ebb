import AllotConfiguration

/// A document of a system, by which an importer tells that it was given another one than its own.
struct KnownDocument: Sendable {
    /// The system that is imported from it, or whose vendor has it; `nil` where several have it.
    let system: ImportSystem?
    let isPayload: Bool
    let name: String
    /// The forms that it may have: parts with "&" between them, all of which hold. A part is a path before a colon,
    /// where "*" is any member or element, and what one of the values there has: members ("!" for a missing one, "|"
    /// for "or") that are `[]` a list, `{}` an object, `''` a text, or the value after "=".
    let forms: [String]

    private static func payload(_ system: ImportSystem, _ name: String, _ forms: String...) -> KnownDocument {
        KnownDocument(system: system, isPayload: true, name: name, forms: forms)
    }

    private static func answer(_ system: ImportSystem?, _ name: String, _ forms: String...) -> KnownDocument {
        KnownDocument(system: system, isPayload: false, name: name, forms: forms)
    }

    /// The reason why a document is not the payload of a system; `nil` if it may be.
    static func refusal(of document: JSONValue, for system: ImportSystem) -> String? {
        let own = all.first { $0.system == system && $0.matches(document) }
        guard own?.isPayload != true, let found = all.first(where: { $0.matches(document) }) else { return nil }
        let start = "this looks like \(found.name), not like the payload of \(system.title)"
        guard let other = found.system, found.isPayload else { return "\(start): \(system.source)" }
        return "\(start); import it from \(other.rawValue)"
    }

    /// The documents. The first of a system that matches counts, so Statsig's answer to clients is before its specs.
    static let all = [
        payload(
            .growthbook, "GrowthBook's features", "encryptedFeatures''", "features{} & features/*: defaultValue|rules"),
        answer(
            .growthbook, "the answer of GrowthBook's API for administrators", "features/*: valueType environments",
            "experiments/*: phases|trackingKey", "feature: valueType", "experiment: phases"),
        payload(.optimizely, "Optimizely's datafile", "experiments[] revision|projectId|accountId"),
        answer(
            .optimizely, "the answer of Optimizely's REST API", "project_id|account_id|urn",
            "*: project_id|account_id|urn", "items/*: project_id|account_id|urn"),
        payload(.eppo, "Eppo's flag configuration", "flags/*: allocations[]|variationType", "format'' flags"),
        answer(.eppo, "Eppo's configuration before the universal one", "flags/*: subjectShards"),
        answer(.eppo, "Eppo's answers for one subject", "precomputed", "response'' subjectKey"),
        answer(.eppo, "Eppo's models of bandits", "bandits/*: banditKey"),
        payload(
            .unleash, "Unleash's features for clients", "!featureStrategies features[] & features/*: strategies",
            "!featureStrategies features[] & features/*: enabled !environments[]",
            "events/*: type=hydration|type=feature-updated|type=feature-removed|type=segment-updated"
                + "|type=segment-removed"),
        answer(.unleash, "an export of Unleash", "featureStrategies|featureEnvironments"),
        answer(.unleash, "the answer of Unleash's frontend API", "toggles[]"),
        answer(
            .unleash, "the answer of Unleash's API for administrators", "features/*: !strategies environments[]",
            "environments[] name project"),
        payload(
            .launchdarkly, "LaunchDarkly's flags for servers", "flagValues{}",
            "flags{} & flags/*: variations[]|fallthrough|offVariation",
            "data: flags{} & data/flags/*: variations[]|fallthrough|offVariation"),
        answer(
            .launchdarkly, "the answer of LaunchDarkly's API for administrators", "_links", "*: _links",
            "items/*: _links"),
        answer(
            .launchdarkly, "events of LaunchDarkly's protocol version 2",
            "*: event=server-intent|event=put-object|event=payload-transferred",
            "events/*: event=server-intent|event=put-object|event=payload-transferred"),
        answer(
            .launchdarkly, "the answer of LaunchDarkly's API for clients", "{} & *: value flagVersion|version",
            "flags{} & flags/*: value flagVersion|version"),
        answer(
            .statsig, "the answer of Statsig's initialize for clients", "feature_gates/*: rule_id value",
            "dynamic_configs/*: rule_id value", "layer_configs/*: rule_id value"),
        answer(
            .statsig, "an answer of Statsig that nothing has changed since the last download",
            "has_updates=false !feature_gates !dynamic_configs"),
        payload(.statsig, "Statsig's config specs", "feature_gates|dynamic_configs|layer_configs"),
        answer(
            .statsig, "the answer of Statsig's API for the console", "data/*: idType|isEnabled|hypothesis",
            "data: idType"),
        payload(
            .flagd, "flagd's flag definitions", "flags/*: variants{}", "spec: flagSpec|featureFlagSpec",
            "kind'' apiVersion''"),
        answer(
            .flagd, "an evaluation by OpenFeature's remote protocol", "flags[] & flags/*: reason|variant",
            "key reason value"),
        payload(.firebase, "a template of Firebase Remote Config", "parameters{}|parameterGroups{}"),
        answer(.firebase, "what Firebase Remote Config answers to a client", "entries{}", "state'' templateVersion"),
        payload(.parse, "the configuration of Parse Server", "params{}"),
        answer(nil, "the body of an error", "error|errors|message @isError"),
        payload(.growthbook, "a map of GrowthBook's features", "@isMap"),
    ]

    private func matches(_ document: JSONValue) -> Bool {
        forms.contains { form in
            form.split(separator: "&").allSatisfy { part in
                let halves = part.split(separator: ":")
                let path = halves.count > 1 ? halves[0].filter { $0 != " " }.split(separator: "/") : []
                let places = path.reduce([document]) { places, step in
                    places.flatMap { step == "*" ? $0.entries : $0.asObject?[String(step)].map { [$0] } ?? [] }
                }
                let requirements = halves[halves.count - 1].split(separator: " ")
                return places.contains { place in requirements.allSatisfy { Self.holds($0, for: place) } }
            }
        }
    }

    private static func holds(_ requirement: Substring, for value: JSONValue) -> Bool {
        requirement.split(separator: "|").contains { option in
            if option.hasPrefix("!") { return !holds(option.dropFirst(), for: value) }
            if option == "@isMap" { return value.isMapOfGrowthBookFeatures }
            if option == "@isError" { return value.isError }
            let name = option.prefix { $0.isLetter || $0 == "_" }
            let found = name.isEmpty ? value : value.asObject?[String(name)]
            switch option.dropFirst(name.count) {
            case "": return found != nil
            case "[]": return found?.asArray != nil
            case "{}": return found?.asObject != nil
            case "''": return found?.isText ?? false
            case let wanted: return (found?.text ?? found?.canonicalText ?? "") == wanted.dropFirst()
            }
        }
    }
}

extension JSONValue {
    fileprivate var entries: [JSONValue] { asArray ?? asObject?.members.map(\.value) ?? [] }

    fileprivate var isError: Bool {
        let known: Set = [
            "code", "description", "detail", "details", "error", "error_description", "errors", "id", "instance",
            "message", "name", "path", "reason", "requestId", "request_id", "status", "statusCode", "success",
            "timestamp", "title", "type", "uuid",
        ]
        return !isMapOfGrowthBookFeatures && asObject?.members.allSatisfy { known.contains($0.key) } ?? false
    }
}
