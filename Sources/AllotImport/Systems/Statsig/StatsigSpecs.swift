import AllotConfiguration

/// The specs of a payload by kind and name, and its shared conditions.
struct StatsigSpecs {
    enum Kind: String, CaseIterable {
        case gate = "feature_gates"
        case config = "dynamic_configs"
        case layer = "layer_configs"
    }

    struct Spec {
        let name: String
        let kind: Kind
        let node: PayloadNode

        var isInternal: Bool {
            let entity = node["entity"]?.value
            return kind == .gate && (entity == "segment" || entity == "holdout" || name.hasPrefix("segment:"))
        }

        var isAutotune: Bool { node["entity"]?.value.text?.lowercased().contains("autotune") ?? false }
        /// Whether older SDKs serve the default in place of its rules.
        var isDisabledWithRules: Bool { node["enabled"]?.value == false && !node.listIfAny("rules").isEmpty }
    }

    private(set) var all: [Spec] = []
    let app: JSONValue?
    private(set) var survey = Survey()
    private var byName: [Kind: [UTF8Key: Int]] = [:]
    private let conditions: PayloadNode?
    private let overrides: PayloadNode?

    init(_ payload: PayloadNode) throws(ImportProblem) {
        conditions = payload["condition_map"]
        overrides = payload["overrides"]
        app = payload["app_id"]?.value
        for kind in Kind.allCases {
            // Version 1 has lists, version 2 objects.
            for (name, node) in try payload[kind.rawValue]?.members(orElementsBy: "name") ?? [] {
                byName[kind, default: [:]][UTF8Key(name)] = all.count
                all.append(Spec(name: name, kind: kind, node: node))
            }
        }
        for spec in all { survey.read(spec.node["rules"]?.value, shared: conditions?.value.asObject) }
    }

    /// The uses of the conditions of all rules.
    struct Survey {
        var searchesCustomFields = false
        var comparesVersions = false
        var comparesTimes = false
        var idTypes: Set<UTF8Key> = []

        mutating func read(_ rules: JSONValue?, shared: JSONObject?) {
            for case .object(let rule) in rules?.asArray ?? [] {
                add(rule["idType"])
                for part in rule["conditions"]?.asArray ?? [] {
                    read(condition: (part.text.flatMap { shared?[$0] } ?? part).asObject ?? [:])
                }
            }
        }

        private mutating func read(condition: JSONObject) {
            let type = condition["type"]?.text ?? ""
            if ["user_bucket", "unit_id"].contains(type) { add(condition["idType"]) }
            guard ["unit_id", "user_field", "environment_field"].contains(type), let name = condition["operator"]?.text
            else { return }
            if name.hasPrefix("version_") { comparesVersions = true }
            if ["before", "after", "on"].contains(name) { comparesTimes = true }
            guard name.hasPrefix("str_"), type == "user_field", let field = condition["field"]?.text else { return }
            if !StatsigFields.isText(StatsigFields.attribute(of: field)) { searchesCustomFields = true }
        }

        private mutating func add(_ idType: JSONValue?) {
            if let type = idType?.text { idTypes.insert(UTF8Key(StatsigFields.unit(of: type))) }
        }
    }

    func spec(_ kind: Kind, _ name: String) -> Spec? { byName[kind]?[UTF8Key(name)].map { all[$0] } }

    func kinds(named name: String) -> Int {
        Kind.allCases.count { kind in spec(kind, name).map { !$0.isInternal } ?? false }
    }

    func checkOverrides(of name: String) throws(ImportProblem) {
        guard let found = overrides?.entry(name), found.value != .array([]) else { return }
        throw found.problem("overrides replace this for some users, which has no equal in Allot")
    }

    func groups(of experiment: String) throws(ImportProblem) -> [String] {
        try (spec(.config, experiment)?.node.list("rules") ?? []).map { rule throws(ImportProblem) in
            try rule["groupName"]?.text()
        }.compactMap { $0 }
    }

    func gates(in spec: Spec) throws(ImportProblem) -> [String] {
        try spec.node.list("rules").map(conditions(of:)).joined().filter {
            $0["type"]?.value == "pass_gate" || $0["type"]?.value == "fail_gate"
        }.compactMap { $0["targetValue"]?.value.text }
    }

    /// The conditions of a rule. In version 2 they are the names of shared ones.
    func conditions(of rule: PayloadNode) throws(ImportProblem) -> [PayloadNode] {
        try rule.required("conditions").elements().map { part throws(ImportProblem) -> PayloadNode in
            guard let name = part.value.text else { return part }
            guard let condition = conditions?.entry(name) else {
                throw part.problem("the payload has no condition \(QuotedText(name)) in its \"condition_map\"")
            }
            return condition
        }
    }
}

enum StatsigFields {
    static let userID = "userID"

    /// Statsig's own fields, by the names under which it knows them in lower case.
    private static let own = [
        "userid": userID, "user_id": userID, "email": "email", "ip": "ip", "useragent": "userAgent",
        "user_agent": "userAgent", "country": "country", "locale": "locale", "appversion": "appVersion",
        "app_version": "appVersion",
    ]

    static func attribute(of field: String) -> String { own[field.lowercased()] ?? field }
    static func unit(of idType: String) -> String { idType.lowercased() == "userid" ? userID : idType }
    static func isText(_ attribute: String) -> Bool { own.values.contains(attribute) }
}
