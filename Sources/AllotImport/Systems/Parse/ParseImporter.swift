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
                    throw node.problem("only the master key may read this, and an app's configuration is public")
                }
                return ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, node.value)])
            }
        }
        let encoded = try parameters.members().filter { parameter in
            parameter.value.value.objects().contains { $0[SettingFormat.typeKey] != nil }
                && !SettingFormat.allCases.contains { $0.fault(of: parameter.value.value) == nil }
        }
        project.note(
            "Parse's SDKs turn values with \"__type\" into objects of their own. The base declares a format for dates, "
                + "places and bytes, and for files that have \"size\" and \"sha256\"; apps get other ones as JSON: "
                + "\(encoded.map(\.key).quoted(atMost: .max)).", if: !encoded.isEmpty)
        return project
    }
}
