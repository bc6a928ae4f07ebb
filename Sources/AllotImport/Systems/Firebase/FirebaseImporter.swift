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
        for (key, parameter) in try payload["parameters"]?.members() ?? [] {
            project.addFlag(key, at: parameter.path) { () throws(ImportProblem) in
                try FirebaseParameter(key, parameter, conditions).imported()
            }
        }
        // A template without groups may have an empty text for them.
        let groups = payload["parameterGroups"].flatMap { $0.value == "" ? nil : $0 }
        for (name, group) in try groups?.members() ?? [] {
            let parameters = try group["parameters"]?.members() ?? []
            for (key, parameter) in parameters {
                project.addFlag(key, at: parameter.path) { () throws(ImportProblem) in
                    if payload["parameters"]?.member(key) != nil {
                        throw parameter.problem("a parameter of the same name is in no group")
                    }
                    return try FirebaseParameter(key, parameter, conditions).imported()
                }
            }
            project.note(
                "The parameters of the group \(QuotedText(name)) are imported like those in no group. The admin SDKs "
                    + "do not evaluate groups: apps on servers had their own defaults so far.",
                if: !parameters.isEmpty && !conditions.areForClients)
        }
        addNotes(on: payload, conditions, to: &project)
        return project
    }

    private static func addNotes(
        on payload: PayloadNode, _ conditions: FirebaseConditions, to project: inout ImportedProject
    ) {
        let groups = (try? payload["parameterGroups"]?.members()) ?? []
        let parameters = ([payload] + groups.map(\.value)).flatMap { (try? $0["parameters"]?.members()) ?? [] }
        for note in conditions.notes {
            project.note(note, on: parameters.filter { conditions.haveNote(note, in: $0.value) }.map(\.key))
        }
    }
}
