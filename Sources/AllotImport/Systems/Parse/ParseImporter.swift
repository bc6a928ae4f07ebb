import AllotConfiguration

/// Translates what Parse Server answers at `/config`: parameters with one value for all users.
enum ParseImporter: PayloadImporter {
    static let title = "Parse Server"

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        var project = ImportedProject(mainUnit: "user_id")
        guard let parameters = payload["params"] else {
            _ = try payload.members()
            throw payload.problem("there are no \"params\" here: this is not what Parse Server answers at /config")
        }
        let masterKeyOnly = payload["masterKeyOnly"]
        for (key, node) in try parameters.members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                if try masterKeyOnly?.entry(key)?.boolean() == true {
                    throw node.problem(
                        "only the master key may read this parameter, and an app's configuration is public")
                }
                return ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, node.value)])
            }
        }
        // Parse's SDKs make an object of their own from such a value: a file, a date, a place.
        let encoded = try parameters.members().filter { $0.value.value.objects().contains { $0["__type"] != nil } }
        project.note(
            "Parse's SDKs turn values with \"__type\" into dates, files or places; apps that read Allot's settings get "
                + "them as JSON: \(encoded.map(\.key).quoted(atMost: .max)).", if: !encoded.isEmpty)
        return project
    }
}
