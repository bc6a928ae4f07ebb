import AllotConfiguration

/// Translates one parameter: the first of the template's conditions that holds and has a value decides.
struct FirebaseParameter {
    private let key: String
    private let node: PayloadNode
    private let conditions: FirebaseConditions
    private let type: String

    init(_ key: String, _ node: PayloadNode, _ conditions: FirebaseConditions) throws(ImportProblem) {
        self.key = key
        self.node = node
        self.conditions = conditions
        type = try node["valueType"]?.text() ?? "STRING"
    }

    func imported() throws(ImportProblem) -> ImportedFlag {
        let otherwise = try node["defaultValue"].map { node throws(ImportProblem) in try value(node) } ?? .null
        var rules: [ImportedRule] = []
        for condition in conditions.names {
            guard let wrapper = node["conditionalValues"]?.entry(condition) else { continue }
            // The SDKs take the default for an empty object.
            let value = wrapper.value == [:] ? otherwise : try value(wrapper)
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

    private func value(_ wrapper: PayloadNode) throws(ImportProblem) -> JSONValue {
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
