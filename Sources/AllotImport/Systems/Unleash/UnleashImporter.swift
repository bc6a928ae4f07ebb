import AllotConfiguration
import AllotCore

/// Translates what Unleash answers to server SDKs on `GET /api/client/features`, as `yggdrasil-engine` 2.0.0 evaluates
/// it, which writes strategies as text in a language of its own and reads that again.
enum UnleashImporter: PayloadImporter {
    static let title = "Unleash"

    static let otherMembers: Set = [
        "archived", "constraints", "createdAt", "createdBy", "dependencies", "enabled", "environment", "environments",
        "eventId", "favorite", "id", "impressionData", "lastSeenAt", "meta", "name", "project", "query", "stale",
        "stickiness", "strategies", "type", "usedInFeatures", "usedInProjects", "variants", "version", "weight",
        "weightType",
    ]
    static let unit = "userId"

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        let payload = try state(payload)
        var project = ImportedProject(mainUnit: unit)
        let features = try payload.required("features").elements()
        let parents = try UnleashParents(features)
        var segments = try UnleashSegments(payload["segments"])
        for feature in features { segments.define(usedBy: feature, in: &project) }
        var usesDefaultStickiness = false
        var haveTextAsJSON: [String] = []
        for feature in features {
            project.addFlag(try feature.required("name").text(), at: feature.path) { () throws(ImportProblem) in
                let reading = try UnleashFeature(feature, segments: segments, parents: parents)
                if reading.drawsByDefault { usesDefaultStickiness = true }
                if reading.hasTextAsJSON { haveTextAsJSON.append(reading.name) }
                return try reading.flag()
            }
        }
        project.note(
            "A call with neither userId nor sessionId is randomised anew each time in Unleash. In Allot such a call "
                + "gets the settings' defaults.", if: usesDefaultStickiness)
        project.note(
            "A payload has the type json and is not JSON, so it is served as text: correct it in Unleash, or let the "
                + "app expect text", on: haveTextAsJSON)
        project.noteTextsOfNumbers(in: title, forms: #""+5", ".5", "5." and "inf""#)
        return project
    }

    private static func state(_ payload: PayloadNode) throws(ImportProblem) -> PayloadNode {
        if payload["features"] == nil, let events = payload["events"] {
            let all = try events.elements()
            guard all.count == 1, case .string("hydration") = all[0]["type"]?.value else {
                throw events.problem(
                    "these are changes of features; download all of them from /api/client/features, or begin with a "
                        + "single hydration event")
            }
            return all[0]
        }
        let version = try payload.required("version")
        guard (0...2).contains(try version.integer()) else {
            throw version.problem("this importer reads the versions 0 to 2 of Unleash's features")
        }
        return payload
    }
}

/// The segments of a payload: constraints that several strategies share.
struct UnleashSegments {
    private var nodes: [Int: PayloadNode] = [:]
    private var meanings: [Int: Result<Guard?, ImportProblem>] = [:]

    init(_ node: PayloadNode?) throws(ImportProblem) {
        for segment in try node?.elements() ?? [] { nodes[try segment.required("id").integer()] = segment }
    }

    /// Reads the segments that a feature uses, and defines those that are more than a few tests under their own names.
    mutating func define(usedBy feature: PayloadNode, in project: inout ImportedProject) {
        let segments = feature.listIfAny("strategies").flatMap { $0.listIfAny("segments") }
        for id in segments.compactMap({ try? $0.integer() }) where meanings[id] == nil {
            guard let node = nodes[id] else { continue }
            meanings[id] = Result { () throws(ImportProblem) in try Self.meaning(of: node, id, in: &project) }
        }
    }

    private static func meaning(
        of node: PayloadNode, _ id: Int, in project: inout ImportedProject
    ) throws(ImportProblem) -> Guard? {
        try UnleashConstraint.meaning(ofAll: node["constraints"]).map {
            project.naming($0, node.annotation("name") ?? "segment-\(id)", comment: "Unleash's segment \(id).")
        }
    }

    /// The constraints of a segment. Returns `nil` if the engine cannot read them, or there is no such segment.
    func meaning(of reference: PayloadNode) throws(ImportProblem) -> Guard? {
        try meanings[try reference.integer()]?.get()
    }
}
