import AllotConfiguration

/// The specs of a payload by kind and name, and its shared conditions.
struct StatsigSpecs {
    /// What a spec decides.
    enum Kind: String, CaseIterable {
        case gate = "feature_gates"
        case config = "dynamic_configs"
        case layer = "layer_configs"
    }

    /// A gate, config, experiment or layer.
    struct Spec {
        let name: String
        let kind: Kind
        let node: PayloadNode

        /// Whether it is a segment or a holdout, which only conditions ask for.
        var isInternal: Bool {
            guard kind == .gate else { return false }
            let entity = node["entity"]?.value
            return entity == "segment" || entity == "holdout" || name.hasPrefix("segment:")
        }

        /// Whether it is a bandit.
        var isAutotune: Bool {
            guard case .string(let entity)? = node["entity"]?.value else { return false }
            return entity.lowercased().contains("autotune")
        }

        var isEnabled: Bool {
            node["enabled"]?.value != false
        }

        var hasRules: Bool {
            if case .array(let rules)? = node["rules"]?.value { !rules.isEmpty } else { false }
        }
    }

    let all: [Spec]
    /// The app of a request with the server's key.
    let app: JSONValue?
    let survey: Survey
    private let byName: [Kind: [UTF8Key: Int]]
    private let conditions: PayloadNode?
    private let overrides: PayloadNode?

    init(_ payload: PayloadNode) throws(ImportProblem) {
        var all: [Spec] = []
        var byName: [Kind: [UTF8Key: Int]] = [:]
        for kind in Kind.allCases {
            guard let specs = payload[kind.rawValue] else { continue }
            var names: [UTF8Key: Int] = [:]
            // Version 1 has lists, version 2 objects.
            for (name, node) in try specs.members(orElementsBy: "name") {
                names[UTF8Key(name)] = all.count
                all.append(Spec(name: name, kind: kind, node: node))
            }
            byName[kind] = names
        }
        self.all = all
        self.byName = byName
        conditions = payload["condition_map"]
        overrides = payload["overrides"]
        app = payload["app_id"]?.value
        var survey = Survey(conditions: conditions)
        for spec in all { survey.read(spec.node["rules"]?.value) }
        self.survey = survey
    }

    /// What the rules of all specs have.
    struct Survey {
        let conditions: PayloadNode?
        /// Whether conditions search custom fields for parts of texts.
        var searchesCustomFields = false
        /// Whether conditions compare versions.
        var comparesVersions = false
        /// Whether conditions compare times of users.
        var comparesTimes = false
        /// The attributes that are IDs of users.
        var idTypes: Set<UTF8Key> = []

        mutating func read(_ rules: JSONValue?) {
            guard case .array(let rules)? = rules else { return }
            for case .object(let rule) in rules {
                add(rule["idType"])
                guard case .array(let parts)? = rule["conditions"] else { continue }
                for part in parts {
                    var condition = part
                    if case .string(let name) = part, case .object(let map)? = conditions?.value {
                        condition = map[name] ?? .null
                    }
                    if case .object(let object) = condition { read(condition: object) }
                }
            }
        }

        private mutating func read(condition: JSONObject) {
            switch condition["type"] {
            case "user_bucket": return add(condition["idType"])
            case "unit_id": add(condition["idType"])
            case "user_field", "environment_field": break
            default: return
            }
            guard case .string(let name)? = condition["operator"] else { return }
            if name.hasPrefix("version_") { comparesVersions = true }
            if ["before", "after", "on"].contains(name) { comparesTimes = true }
            if name.hasPrefix("str_"), condition["type"] == "user_field", case .string(let field)? = condition["field"],
                !StatsigFields.isText(StatsigFields.attribute(of: field))
            {
                searchesCustomFields = true
            }
        }

        private mutating func add(_ idType: JSONValue?) {
            if case .string(let type)? = idType { idTypes.insert(UTF8Key(StatsigFields.unit(of: type))) }
        }
    }

    func spec(_ kind: Kind, _ name: String) -> Spec? {
        byName[kind]?[UTF8Key(name)].map { all[$0] }
    }

    /// Whether an attribute is an ID of users other than the main one.
    func isCustomID(_ attribute: String) -> Bool {
        attribute != StatsigFields.userID && survey.idTypes.contains(UTF8Key(attribute))
    }

    /// The number of specs of a name that are settings.
    func kinds(named name: String) -> Int {
        Kind.allCases.count { kind in spec(kind, name).map { !$0.isInternal } ?? false }
    }

    /// Throws if overrides replace a spec for some users.
    func checkOverrides(of name: String) throws(ImportProblem) {
        guard let found = overrides?.entry(name), found.value != .array([]) else { return }
        throw found.problem("overrides replace this for some users, which has no equal in Allot")
    }

    /// The names of the groups of an experiment; none if it does not exist.
    func groups(of experiment: String) throws(ImportProblem) -> [String] {
        var found: [String] = []
        for rule in try spec(.config, experiment)?.node["rules"]?.elements() ?? [] {
            if let group = try rule["groupName"]?.text() { found.append(group) }
        }
        return found
    }

    /// The names of the gates that the conditions of a spec ask for.
    func gates(in spec: Spec) throws(ImportProblem) -> [String] {
        var found: [String] = []
        for rule in try spec.node.list("rules") {
            for condition in try conditions(of: rule) {
                let type = condition["type"]?.value
                guard type == "pass_gate" || type == "fail_gate" else { continue }
                if case .string(let name)? = condition["targetValue"]?.value { found.append(name) }
            }
        }
        return found
    }

    /// The conditions of a rule. In version 2 they are the names of shared ones.
    func conditions(of rule: PayloadNode) throws(ImportProblem) -> [PayloadNode] {
        var found: [PayloadNode] = []
        for part in try rule.required("conditions").elements() {
            guard case .string(let name) = part.value else {
                found.append(part)
                continue
            }
            guard let condition = conditions?.entry(name) else {
                throw part.problem("the payload has no condition \(QuotedText(name)) in its \"condition_map\"")
            }
            found.append(condition)
        }
        return found
    }
}

/// How the fields of Statsig's users are named in Allot.
enum StatsigFields {
    static let userID = "userID"

    /// The attribute of a field: Statsig knows some fields under several names.
    static func attribute(of field: String) -> String {
        switch field.lowercased() {
        case "userid", "user_id": userID
        case "email": "email"
        case "ip": "ip"
        case "useragent", "user_agent": "userAgent"
        case "country": "country"
        case "locale": "locale"
        case "appversion", "app_version": "appVersion"
        default: field
        }
    }

    /// The attribute of an ID type.
    static func unit(of idType: String) -> String {
        idType.lowercased() == "userid" ? userID : idType
    }

    /// Whether an attribute is a text for every user of Statsig.
    static func isText(_ attribute: String) -> Bool {
        [userID, "email", "ip", "userAgent", "country", "locale", "appVersion"].contains(attribute)
    }
}
