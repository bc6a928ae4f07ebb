import AllotConfiguration

/// Translates what Parse Server answers at `/config`: parameters with one value for everybody.
enum ParseImporter: PayloadImporter {
    static let title = "Parse Server"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        var project = ImportedProject(mainUnit: "user_id")
        guard let parameters = payload["params"] else {
            _ = try payload.members()
            throw payload.problem("there are no \"params\" here: this is not what Parse Server answers at /config")
        }
        let masterKeyOnly = payload["masterKeyOnly"]
        for (key, node) in try parameters.members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                if try masterKeyOnly?[key]?.boolean() == true {
                    throw node.problem(
                        "only the master key may read this parameter, and an app's configuration is public")
                }
                try checkTypes(node)
                return ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, node.value)])
            }
        }
        return project
    }

    /// Throws for values that Parse's SDKs make objects of their own from: files, dates, places and others.
    private static func checkTypes(_ node: PayloadNode) throws(ImportProblem) {
        switch node.value {
        case .object:
            if let type = node["__type"] {
                throw type.problem(
                    "this is a \(QuotedText(try type.text())) of Parse, which its SDKs turn into an object; apps that "
                        + "read Allot's settings get plain JSON")
            }
            for (_, member) in try node.members() { try checkTypes(member) }
        case .array: for element in try node.elements() { try checkTypes(element) }
        case .null, .boolean, .number, .string: break
        }
    }
}
