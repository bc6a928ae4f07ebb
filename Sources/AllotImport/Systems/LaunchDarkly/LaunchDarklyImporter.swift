import AllotConfiguration

/// Translates what LaunchDarkly's server-side SDKs download from `/sdk/latest-all`: flags and segments.
enum LaunchDarklyImporter: PayloadImporter {
    static let title = "LaunchDarkly"

    static let otherMembers: Set = [
        "attribute", "bucketBy", "clause", "clientSide", "clientSideAvailability", "contextKind", "contextTargets",
        "debugEventsUntilDate", "deleted", "excludeFromSummaries", "excluded", "excludedContexts", "fallthrough",
        "generation", "id", "includeInSnippet", "included", "includedContexts", "key", "kind", "migration", "name",
        "offVariation", "path", "prerequisites", "ref", "rollout", "rules", "salt", "samplingRatio", "segments", "sel",
        "targets", "trackEvents", "trackEventsFallthrough", "unbounded", "unboundedContextKind", "untracked",
        "values", "variation", "variations", "version",
    ]

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        // An event of the stream has the same below "data".
        let data = payload["data"] ?? payload
        guard data["flags"] != nil || data["flagValues"] != nil else {
            throw payload.problem(
                "this is not a payload of LaunchDarkly's server-side SDKs: it has no \"flags\"; download it from "
                    + "https://sdk.launchdarkly.com/sdk/latest-all")
        }
        var project = ImportedProject(mainUnit: LaunchDarklyContexts.userKey)
        project.needsUnit = true
        let contexts = LaunchDarklyContexts(data)
        let others = contexts.kinds.dropFirst().map { "\($0): its key is the attribute \($0).key" }
        project.note(
            "Contexts of the kind user have their attributes at the top (key, country, …), those of other kinds "
                + "below the kind: \(others.joined(separator: "; ")).", if: contexts.hasSeveralKinds)
        var segments = LaunchDarklySegments(data, contexts)
        let flags = try data["flags"]?.members() ?? []
        segments.read(flags.map(\.value), into: &project)
        let byKey = flags.byKey
        for (key, flag) in flags where flag["deleted"]?.value != true {
            project.addFlag(key, at: flag.path) { () throws(ImportProblem) in
                try LaunchDarklyFlag(key, flag, of: byKey, contexts, segments).imported()
            }
        }
        for (key, value) in try data["flagValues"]?.members() ?? [] {
            project.addFlag(key, at: value.path) { () throws(ImportProblem) in
                ImportedFlag(key: key, path: value.path, settings: [ImportedSetting(key, value.value)])
            }
        }
        let uses = flags.filter { $0.value["deleted"]?.value != true }.map {
            (key: $0.key, uses: segments.uses(of: $0.value))
        }
        project.note(
            "Instants in attributes are text as in RFC 3339, or milliseconds since 1970; the Python SDK also reads "
                + "text with a space instead of the T", on: uses.filter(\.uses.comparesInstants).map(\.key))
        project.note(
            "Rollouts by another attribute than the key take values of more than 1,024 bytes and whole numbers from "
                + "2^53 on for missing, because Allot does not draw them",
            on: uses.filter(\.uses.drawsByAttribute).map(\.key))
        return project
    }
}
