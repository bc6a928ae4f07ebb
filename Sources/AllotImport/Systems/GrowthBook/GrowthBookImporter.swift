import AllotConfiguration
import AllotCore

/// Translates GrowthBook's features, `GET /api/features/CLIENT_KEY`, as `growthbook` 4.0.0 of PyPI evaluates them.
enum GrowthBookImporter: PayloadImporter {
    static let title = "GrowthBook"

    static let otherMembers: Set = [
        "attributeKey", "condition", "contextualBandits", "dateUpdated", "experiments", "id", "key", "name",
        "passthrough", "phase", "revision", "status", "type", "values",
    ]
    static let unit = "id"

    static func project(_ document: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        var project = ImportedProject(mainUnit: unit)
        let (features, payload) = try Self.features(document)
        var groups = try GrowthBookGroups(payload)
        try groups.addSegments(to: &project)
        for (key, node) in try features.members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                try GrowthBookFeature(
                    key: key, node: node, features: features, condition: GrowthBookCondition(groups: groups.refilled),
                    writtenOut: GrowthBookCondition(groups: groups.writtenOut), isSticky: options.hasStickyBuckets
                ).flag()
            }
        }
        addNotes(on: features, payload["savedGroups"], options, to: &project)
        for experiment in try payload.list("experiments") {
            let key = try experiment["key"]?.text() ?? "\(experiment.path)"
            project.addFlag("experiment \(key)", at: experiment.path) { () throws(ImportProblem) in
                throw experiment.problem("experiments that change pages in the browser, or redirect, are not flags")
            }
        }
        return project
    }

    /// Notes on the differences between GrowthBook's SDKs, and between GrowthBook and all other systems.
    private static func addNotes(
        on features: PayloadNode, _ groups: PayloadNode?, _ options: PayloadImport, to project: inout ImportedProject
    ) {
        let rulesByFlag = project.flags.map { (key: $0.key, rules: features[$0.key]?.listIfAny("rules") ?? []) }
        func flags(with matches: (PayloadNode) -> Bool) -> [String] {
            rulesByFlag.filter { $0.rules.contains(where: matches) }.map(\.key)
        }
        let all = rulesByFlag.flatMap(\.rules)
        let rules = Set(all.flatMap { ((try? $0.members()) ?? []).map(\.key) })
        let values = all.flatMap { [$0["condition"], $0["parentConditions"]] } + [groups]
        let conditions = Set(values.flatMap { $0?.value.memberNames ?? [] })
        let hasNumber = values.contains { $0?.value.hasPlainNumber ?? false }
        let hasVersion = !conditions.isDisjoint(with: ["$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte"])
        project.note(
            "IDs that are numbers: GrowthBook takes 0 for a missing ID and buckets fractions; Allot buckets 0, and "
                + "takes numbers with a fraction, 456.0 among them, for missing IDs. Text and whole numbers without a "
                + "fraction are bucketed alike.",
            if: !rules.isDisjoint(with: ["variations", "coverage", "range", "filters"]))
        project.note(
            "Regular expressions: GrowthBook's SDKs use those of their languages, which differ from one another, and "
                + "from Allot's, for line feeds and for letters and digits beyond ASCII.",
            if: !conditions.isDisjoint(with: ["$regex", "$regexi", "$notRegex", "$notRegexi"]))
        project.note(
            "Versions: those of three numbers with at most five digits each decide alike, also with a pre-release. "
                + "GrowthBook gives any other text an order as well: 2.0 comes before 2.0.0, which are one version in "
                + "Allot, and 1.2.3.4, 1.0.123456, 1.02.3, the empty text and text that is not a version come before "
                + "or after, while Allot compares them as versions or with none.", if: hasVersion)
        project.note(
            "Missing attributes and mixed types: comparisons follow growthbook 4.0.0 of PyPI, where a missing "
                + "attribute, and text in place of a number, satisfy none but $ne and $vne. GrowthBook's JavaScript "
                + "SDK takes a missing attribute for 0, and reads numbers from text.",
            if: hasNumber || hasVersion || !conditions.isDisjoint(with: ["$lt", "$lte", "$gt", "$gte"]))
        project.note(
            "Sticky buckets: if the app has a store of them, units keep the variations that it remembers, whatever the "
                + "hash gives, and the payload does not say so. Verify the definitions against recorded assignments",
            on: options.hasStickyBuckets ? flags(with: isSticky) : [])
        project.note(
            "Fallback attributes of forced values are left out, as in SDKs that use them for sticky buckets only. "
                + "growthbook 4.0.0 of PyPI gives the value to units by their fallback too",
            on: options.hasStickyBuckets ? [] : flags(with: hasFallback))
        project.note(
            "Coverage of forced values: units whose number is exactly the coverage (1 in 1,000; with hash version 2, "
                + "1 in 10,000) do not get the value, as in growthbook 4.0.0 of PyPI. Older versions, and some SDKs of "
                + "other languages, give it to them", on: flags(with: hasBorder))
    }

    private static func isSticky(_ rule: PayloadNode) -> Bool {
        rule["force"] == nil && rule.listIfAny("variations").count >= 2 && rule["disableStickyBucketing"]?.value != true
    }

    /// Whether a rule forces a value for a share of the units, and names another unit for those without the first.
    private static func hasFallback(_ rule: PayloadNode) -> Bool {
        rule["force"] != nil && (rule["coverage"] ?? rule["range"]) != nil && rule["fallbackAttribute"] != nil
            && rule["disableStickyBucketing"]?.value != true
    }

    /// Whether a rule forces a value for a share of the units, and there are units with exactly its number.
    private static func hasBorder(_ rule: PayloadNode) -> Bool {
        guard rule["force"] != nil, rule["range"] == nil, let coverage = rule["coverage"]?.value.asNumber?.double,
            coverage > 0
        else { return false }
        let scheme: HashScheme = rule["hashVersion"]?.value == 2 ? .growthbook2 : .growthbook1
        return scheme.border(below: coverage) < scheme.border(atMost: coverage)
    }

    private static func features(_ payload: PayloadNode) throws(ImportProblem) -> (PayloadNode, payload: PayloadNode) {
        if let features = payload["features"], !features.value.isGrowthBookFeature {
            _ = try features.members()
            return (features, payload)
        }
        // Apps bundle the map of features alone, as setFeatures takes it.
        _ = try payload.members()
        if payload.value.isMapOfGrowthBookFeatures { return (payload, PayloadNode([:])) }
        throw payload.problem("there are no \"features\" here, as GrowthBook's SDKs download them from /api/features/")
    }
}

struct GrowthBookFeature {
    let key: String
    let node: PayloadNode
    let features: PayloadNode
    let condition: GrowthBookCondition
    let writtenOut: GrowthBookCondition
    let isSticky: Bool

    func flag() throws(ImportProblem) -> ImportedFlag {
        try node.checkMembers(known: ["defaultValue", "rules", "metadata"])
        let standard = node.member("defaultValue")?.value ?? .null
        var flag = ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, standard)])
        flag.defaultArm = standard.canonicalText
        for rule in try node.list("rules") { flag.rules += try rules(of: rule) }
        return flag
    }

    private func arm(_ key: String, _ value: JSONValue) -> Arm {
        Arm(key: key, settings: [ImportedSetting(self.key, value)], served: value.canonicalText)
    }

    private static let ruleMembers: Set = [
        "id", "key", "variations", "weights", "coverage", "condition", "namespace", "force", "hashAttribute",
        "fallbackAttribute", "hashVersion", "range", "ranges", "meta", "filters", "seed", "name", "phase",
        "disableStickyBucketing", "bucketVersion", "minBucketVersion", "parentConditions", "metadata", "tracks",
        "contextualBanditRef", "contextualVariations",
    ]

    private func rules(of rule: PayloadNode) throws(ImportProblem) -> [ImportedRule] {
        try rule.checkMembers(known: Self.ruleMembers)
        if let bandit = rule["contextualBanditRef"] ?? rule["contextualVariations"] {
            throw bandit.problem("a contextual bandit changes its weights by itself; only fixed shares can be moved")
        }
        var rules: [ImportedRule] = []
        // Each prerequisite that fails as a gate ends the whole feature, before the rule's own condition.
        var guards: [Guard] = []
        for parent in try rule.list("parentConditions") {
            guard let (holds, isGate) = try holds(parent) else { continue }
            if isGate {
                rules.append(
                    ImportedRule(
                        path: parent.path, comment: ["A prerequisite that blocks the feature: it is null."],
                        condition: .all(guards + [.not(holds)]), outcome: .value(arm("blocked", .null))))
            }
            guards.append(holds)
        }
        var comment: [String] = []
        if let node = rule["condition"] {
            let translated = try condition.condition(node)
            guards.append(.condition(translated))
            let original = node.value.canonicalText
            if translated != node.value, original.utf8.count < 300 { comment.append("Condition: \(original)") }
        }
        for filter in try rule.list("filters") { guards.append(try self.filter(filter)) }
        var imported = ImportedRule(path: rule.path, comment: comment, outcome: .value(arm("forced", .null)))
        if let name = try rule["name"]?.text() { imported.comment.append("\(QuotedText(name))") }
        if let force = rule.member("force") {
            guard force.value != .null else {
                throw force.problem("GrowthBook's SDKs differ on a forced null: some ignore the rule")
            }
            imported.id = RuleID.short(rule.annotation("id"))
            imported.condition = .all(guards + [try rollout(rule)])
            imported.outcome = .value(arm("forced", force.value))
        } else if let variations = rule["variations"] {
            guard let outcome = try split(rule, variations, &guards) else { return rules }
            // The app records the tracking key, or else the feature's.
            imported.name = try rule["key"]?.text() ?? key
            if rule["key"] == nil { imported.id = RuleID.short(rule.annotation("id")) }
            imported.condition = .all(guards)
            imported.outcome = outcome
        } else {
            return rules
        }
        return rules + [imported]
    }

    /// Whether a prerequisite holds, and whether it ends the feature. Returns `nil` for one without a condition.
    private func holds(_ node: PayloadNode) throws(ImportProblem) -> (Guard, isGate: Bool)? {
        guard let id = node["id"], let test = node["condition"] else { return nil }
        let isGate = try node["gate"]?.boolean() ?? false
        let key = try id.text()
        guard let condition = ValueCondition(try writtenOut.condition(test)) else {
            throw test.problem("the condition is not valid")
        }
        guard let parent = features[key] else {
            // A feature that does not exist is null.
            return (condition.holds(for: .null) ? .always : .never, isGate)
        }
        let rules = parent.listIfAny("rules")
        let nodes = rules.compactMap { $0["force"] } + rules.flatMap { $0.listIfAny("variations") }
        let values = [parent.member("defaultValue")?.value ?? .null, .null] + nodes.map(\.value)
        let arms = Set(values.filter(condition.holds).map(\.canonicalText))
        return (.serves(flag: key, arms: arms, orDefault: false), isGate)
    }

    private func rollout(_ rule: PayloadNode) throws(ImportProblem) -> Guard {
        let version = try scheme(rule["hashVersion"], standard: .growthbook1)
        let fractions: [ClosedRange<Double>]
        if let range = rule["range"] {
            fractions = [try Self.range(range)].compactMap { $0 }
        } else if let coverage = rule["coverage"] {
            fractions = try coverage.double() > 0 ? [0...(try coverage.double())] : []
        } else {
            return .always
        }
        guard let version, !fractions.isEmpty else { return .never }
        let seed = try rule["seed"]?.text() ?? ""
        let unit = try rule["hashAttribute"]?.text() ?? GrowthBookImporter.unit
        if let fallback = rule["fallbackAttribute"], isSticky, rule["disableStickyBucketing"]?.value != true {
            throw fallback.problem(
                "GrowthBook's SDKs differ on the fallback attribute of a forced value: growthbook 4.0.0 of PyPI always "
                    + "uses it, others only with sticky buckets, which the payload does not have")
        }
        return .draw(Draw(version, salt: seed.isEmpty ? key : seed, unit: unit), version.buckets(fractions))
    }

    private func split(
        _ rule: PayloadNode, _ variations: PayloadNode, _ guards: inout [Guard]
    ) throws(ImportProblem) -> Outcome? {
        let values = try variations.elements()
        guard values.count >= 2 else { return nil }
        try checkStickiness(rule)
        let unit = try rule["hashAttribute"]?.text() ?? GrowthBookImporter.unit
        // Filters have replaced namespaces.
        if let namespace = rule["namespace"], try rule.list("filters").isEmpty {
            guards.append(try self.namespace(namespace, unit: unit))
        }
        guard let version = try scheme(rule["hashVersion"], standard: .growthbook1) else { return nil }
        let experiment = try rule["key"]?.text() ?? ""
        let seed = try rule["seed"]?.text() ?? ""
        let salt = !seed.isEmpty ? seed : !experiment.isEmpty ? experiment : key
        let meta = try rule.list("meta")
        var shares = ArmShares()
        for (index, fractions) in try ranges(rule, count: values.count).enumerated().prefix(values.count) {
            let meta = index < meta.count ? meta[index] : nil
            // Units of such a variation, which a holdout has, go on to the next rule.
            let passes = try meta?["passthrough"]?.boolean() == true
            let key = try meta?["key"]?.text() ?? "\(index)"
            let buckets = fractions.map { version.buckets([$0]) } ?? .none
            shares.add(passes ? nil : arm(key, values[index].value), buckets)
        }
        return .split(Draw(version, salt: salt, unit: unit), shares.shares)
    }

    private func checkStickiness(_ rule: PayloadNode) throws(ImportProblem) {
        guard isSticky else { return }
        if let sticky = rule["disableStickyBucketing"], try sticky.boolean() { return }
        let why = "sticky buckets, which the app's store remembers and the payload does not have"
        if let fallback = rule["fallbackAttribute"] {
            throw fallback.problem("a fallback attribute is used with \(why)")
        }
        if let version = rule["minBucketVersion"], try version.integer() > 0 {
            throw version.problem("a minimum bucket version blocks units by \(why)")
        }
    }

    /// The scheme of a hash version. Returns `nil` for one that no SDK knows, which takes no unit.
    private func scheme(_ node: PayloadNode?, standard: HashScheme) throws(ImportProblem) -> HashScheme? {
        guard let node else { return standard }
        let schemes: [Int: HashScheme] = [0: standard, 1: .growthbook1, 2: .growthbook2]
        return schemes[try node.integer()]
    }

    private func ranges(_ rule: PayloadNode, count: Int) throws(ImportProblem) -> [ClosedRange<Double>?] {
        let ranges = try rule.list("ranges")
        if !ranges.isEmpty { return try ranges.map(Self.range) }
        let coverage = min(max(try rule["coverage"]?.double() ?? 1, 0), 1)
        var weights = try rule.list("weights").map { node throws(ImportProblem) in try node.double() }
        let sum = weights.reduce(0, +)
        if weights.count != count || sum < 0.99 || sum > 1.01 || weights.contains(where: { $0 < 0 }) {
            weights = Array(repeating: 1 / Double(count), count: count)
        }
        var start = 0.0
        return weights.map { weight in
            let range = start...max(start, start + coverage * weight)
            start += weight
            return range
        }
    }

    private static func range(_ node: PayloadNode) throws(ImportProblem) -> ClosedRange<Double>? {
        let ends = try node.elements()
        guard ends.count == 2 else { throw node.problem("a range has two numbers, and this has \(ends.count)") }
        let (start, end) = (try ends[0].double(), try ends[1].double())
        return start < end ? start...end : nil
    }

    private func filter(_ filter: PayloadNode) throws(ImportProblem) -> Guard {
        try filter.checkMembers(known: ["attribute", "seed", "hashVersion", "ranges"])
        guard let version = try scheme(filter["hashVersion"], standard: .growthbook2) else { return .never }
        let seed = try filter["seed"]?.text() ?? ""
        let fractions = try filter.required("ranges").elements().map(Self.range).compactMap { $0 }
        let draw = Draw(version, salt: seed, unit: try filter["attribute"]?.text() ?? GrowthBookImporter.unit)
        return .layer(seed, draw, version.buckets(fractions))
    }

    private func namespace(_ node: PayloadNode, unit: String) throws(ImportProblem) -> Guard {
        let parts = try node.elements()
        guard parts.count == 3 else { throw node.problem("a namespace is its ID and two numbers") }
        let name = try parts[0].text()
        let (start, end) = (try parts[1].double(), try parts[2].double())
        let draw = Draw(.growthbook1, salt: "__\(name)", unit: unit)
        return .layer(name, draw, start < end ? HashScheme.growthbook1.buckets([start...end]) : .none)
    }
}

extension JSONValue {
    var isMapOfGrowthBookFeatures: Bool {
        guard case .object(let object) = self, !object.isEmpty else { return false }
        return object.members.allSatisfy { $0.value.isGrowthBookFeature }
    }

    fileprivate var isGrowthBookFeature: Bool {
        guard let object = asObject,
            object.members.allSatisfy({ ["defaultValue", "rules", "metadata"].contains($0.key) })
        else { return false }
        if let rules = object["rules"] { return rules.asArray != nil }
        return object["defaultValue"].map { !$0.isGrowthBookFeature } ?? false
    }

    fileprivate var hasPlainNumber: Bool { allMembers.contains { $0.value.asNumber != nil && !$0.key.hasPrefix("$") } }
}

extension HashScheme {
    /// The buckets whose fraction is within ranges that do not include their upper ends.
    fileprivate func buckets(_ fractions: [ClosedRange<Double>]) -> BucketSet {
        BucketSet(fractions.map { border(below: $0.lowerBound)..<border(below: $0.upperBound) })
    }
}
