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
                if try masterKeyOnly?.entry(key)?.boolean() == true {
                    throw node.problem(
                        "only the master key may read this parameter, and an app's configuration is public")
                }
                return ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, node.value)])
            }
        }
        let encoded = try parameters.members().filter { isEncoded($0.value.value) }.map {
            QuotedText($0.key).description
        }
        if !encoded.isEmpty {
            project.notes.append(
                "Parse's SDKs turn values with \"__type\" into dates, files or places; apps that read Allot's settings "
                    + "get them as JSON: \(encoded.joined(separator: ", ")).")
        }
        return project
    }

    /// Whether a value is, or has, one that Parse's SDKs make an object of their own from: a file, a date, a place.
    private static func isEncoded(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let object): object["__type"] != nil || object.members.contains { isEncoded($0.value) }
        case .array(let elements): elements.contains(where: isEncoded)
        case .null, .boolean, .number, .string: false
        }
    }
}
