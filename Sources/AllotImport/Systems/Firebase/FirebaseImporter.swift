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
                    return try FirebaseParameter(key: key, node: parameter, conditions: conditions).imported()
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

/// Translates one parameter: the first of the template's conditions that holds and has a value decides.
struct FirebaseParameter {
    let key: String
    let node: PayloadNode
    let conditions: FirebaseConditions

    func imported() throws(ImportProblem) -> ImportedFlag {
        let type = try node["valueType"]?.text() ?? "STRING"
        let otherwise = try node["defaultValue"].map { node throws(ImportProblem) in try value(node, type) } ?? .null
        var rules: [ImportedRule] = []
        for condition in conditions.names {
            guard let wrapper = node["conditionalValues"]?.entry(condition) else { continue }
            // The SDKs take the default for an empty object.
            let value = wrapper.value == [:] ? otherwise : try value(wrapper, type)
            rules.append(
                ImportedRule(
                    name: "\(key)-\(condition)", path: wrapper.path,
                    comment: ["Remote Config: parameter \(key), condition \(condition)"],
                    condition: try conditions.condition(condition),
                    outcome: .value(Arm(key: condition, settings: [ImportedSetting(key, value)]))))
        }
        return ImportedFlag(
            key: key, path: node.path, description: try node["description"]?.text(),
            settings: [ImportedSetting(key, otherwise)], rules: rules)
    }

    private func value(_ wrapper: PayloadNode, _ type: String) throws(ImportProblem) -> JSONValue {
        if try wrapper["useInAppDefault"]?.boolean() == true || wrapper.value == [:] { return .null }
        if let personalization = wrapper["personalizationValue"] {
            throw personalization.problem("a personalization: Google's models choose the value for each user")
        }
        if let rollout = wrapper["rolloutValue"] {
            throw rollout.problem("a rollout: Google's servers draw the users, and the template does not say how")
        }
        let text = try wrapper.required("value")
        switch type {
        case "BOOLEAN": return .boolean(["1", "true", "t", "yes", "y", "on"].contains(try text.text().lowercased()))
        case "NUMBER":
            guard let number = JSONNumber(try text.text()) else {
                throw text.problem("\(text.value.described) is not a number, which the parameter's type says")
            }
            return .number(number)
        case "JSON": return try text.parsed(text.text())
        case "STRING", "PARAMETER_VALUE_TYPE_UNSPECIFIED": return .string(try text.text())
        default: throw node.problem("the type \(QuotedText(type)) of values is not known to this importer")
        }
    }
}
