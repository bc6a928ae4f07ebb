import AllotConfiguration

/// Translates templates of Firebase Remote Config: those of servers, and what draws nothing of those for clients.
enum FirebaseImporter: PayloadImporter {
    static let title = "Firebase Remote Config"

    static let otherMembers: Set = ["etag", "name", "tagColor", "valueType", "version"]

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        guard payload["parameters"] != nil || payload["parameterGroups"] != nil else {
            throw payload.problem("this is not a template of Remote Config: it has no \"parameters\"")
        }
        var project = ImportedProject(mainUnit: FirebaseConditions.unit)
        let conditions = try FirebaseConditions(payload, &project)
        var all: [(key: String, value: PayloadNode)] = []
        // A template without groups may have an empty text for them.
        let groups = try payload["parameterGroups"].flatMap { $0.value == "" ? nil : $0 }?.members() ?? []
        for (group, node) in [(String?.none, payload)] + groups.map({ (Optional($0.key), $0.value) }) {
            let parameters = try node["parameters"]?.members() ?? []
            for (key, parameter) in parameters {
                project.addFlag(key, at: parameter.path) { () throws(ImportProblem) in
                    if group != nil, payload["parameters"]?.member(key) != nil {
                        throw parameter.problem("a parameter of the same name is in no group")
                    }
                    return try FirebaseParameter(key, parameter, conditions).imported()
                }
            }
            all += parameters
            guard let group, !parameters.isEmpty, !conditions.areForClients else { continue }
            project.notes.append(
                "The parameters of the group \(QuotedText(group)) are imported like those in no group. The admin SDKs "
                    + "do not evaluate groups: apps on servers had their own defaults so far.")
        }
        for note in conditions.notes {
            project.note(note, on: all.filter { conditions.haveNote(note, in: $0.value) }.map(\.key))
        }
        return project
    }
}
