import AllotConfiguration

/// Translates server templates of Firebase Remote Config, as Firebase's admin SDKs evaluate them.
enum FirebaseImporter: PayloadImporter {
    static let title = "Firebase Remote Config"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        guard payload["parameters"] != nil || payload["parameterGroups"] != nil else {
            throw payload.problem(
                payload["entries"] == nil
                    ? "this is not a template of Remote Config: it has no \"parameters\""
                    : "these are the values that a client fetched; the import needs the template, with \"parameters\" "
                        + "and \"conditions\"")
        }
        var project = ImportedProject(mainUnit: FirebaseConditions.unit)
        let conditions = try FirebaseConditions(payload, &project)
        if conditions.testsSignals {
            project.notes += [
                "Custom signals that are compared as text or as versions have to be text: "
                    + "firebase-admin also compares the digits of numbers and the words True and False.",
                "Custom signals that are compared as numbers have to be numbers, or usual text of numbers: "
                    + "firebase-admin also reads spaces, underscores and booleans. The number 0 and empty text count "
                    + "as missing, as there.",
            ]
        }
        for (key, parameter) in try payload["parameters"]?.members() ?? [] {
            project.addFlag(key, at: parameter.path) { () throws(ImportProblem) in
                try FirebaseParameter(key, parameter, conditions).imported()
            }
        }
        for (name, group) in try payload["parameterGroups"]?.members() ?? [] {
            let parameters = try group["parameters"]?.members() ?? []
            for (key, parameter) in parameters {
                project.addFlag(key, at: parameter.path) { () throws(ImportProblem) in
                    if payload["parameters"]?.member(key) != nil {
                        throw parameter.problem("a parameter of the same name is in no group")
                    }
                    return try FirebaseParameter(key, parameter, conditions).imported()
                }
            }
            if !parameters.isEmpty {
                project.notes.append(
                    "The parameters of the group \(QuotedText(name)) are imported like those in no group. The admin "
                        + "SDKs do not evaluate groups: apps on servers had their own defaults so far.")
            }
        }
        return project
    }
}
