import AllotConfiguration
import AllotCore

/// Translates one gate, config, experiment or layer: the first rule whose conditions hold decides.
struct StatsigFlag {
    let spec: StatsigSpecs.Spec
    let specs: StatsigSpecs
    let gates: StatsigGates

    func imported() throws(ImportProblem) -> ImportedFlag {
        let otherwise = try defaultArm(of: spec)
        var rules = try rules(of: spec, within: .always, depth: 0)
        // At the end a rule that serves the default does nothing.
        while case .value(let arm)? = rules.last?.outcome, arm == otherwise { rules.removeLast() }
        return ImportedFlag(
            key: spec.name, path: spec.node.path, settings: otherwise.settings, rules: rules, defaultArm: otherwise.key)
    }

    /// The rules of the spec, or of an experiment that decides for a rule of a layer.
    private func rules(
        of spec: StatsigSpecs.Spec, within outer: Guard, depth: Int
    ) throws(ImportProblem) -> [ImportedRule] {
        try specs.checkOverrides(of: spec.name)
        if spec.isAutotune {
            throw spec.node.problem("Autotune changes the shares of a bandit; only fixed shares can be moved")
        }
        guard depth < 10 else { throw spec.node.problem("the experiments of layers refer to each other in a cycle") }
        var found: [ImportedRule] = []
        var groups: Groups?
        func endGroups() {
            found += groups?.rules ?? []
            groups = nil
        }
        for (index, rule) in try spec.node.list("rules").enumerated() {
            let reading = try StatsigRule(rule, of: spec, specs)
            let title = try rule.firstText("groupName", "name")
            let comment =
                "Statsig: \(spec.name), rule \(index + 1)" + (title.isEmpty ? "" : " (\(title))")
                + (reading.passPercentage == 100
                    ? "" : ", passes \(rule["passPercentage"]?.value.canonicalText ?? "")%")
            if let name = try rule["configDelegate"]?.text(), let other = specs.spec(.config, name) {
                endGroups()
                let condition = Guard.all([outer, try reading.condition(gates)])
                found += try rules(of: other, within: condition, depth: depth + 1)
                found.append(
                    ImportedRule(
                        name: other.name, path: rule.path, comment: [comment], condition: condition,
                        outcome: .value(try defaultArm(of: other))))
                continue
            }
            var arm = try arm(
                rule["returnValue"], at: rule, of: self.spec.kind == .gate, key: rule.firstText("groupName", "id"))
            var other = try defaultArm(of: spec)
            if spec.kind == .config, let group = try rule["groupName"]?.text() {
                (arm.served, other.served) = (Self.served(group), Self.served(group))
            }
            if reading.passPercentage >= 100, let bucket = try reading.onlyBucket() {
                if groups?.draw != bucket.draw { endGroups() }
                let template = ImportedRule(
                    name: spec.name, path: rule.path, comment: [comment], condition: outer, outcome: .value(arm))
                groups = groups ?? Groups(draw: bucket.draw, template: template)
                groups?.arms.add(arm, bucket.buckets)
                continue
            }
            endGroups()
            let condition = Guard.all([outer, try reading.condition(gates)])
            let isGate = spec.kind == .gate
            // An ID may end with a percentage, as in "id:3.00:2".
            let own = RuleID.short(rule.annotation("id").map { String($0.prefix { $0 != ":" }) })
            let id = own ?? (isGate ? "rule-\(index + 1)" : nil)
            func serve(_ outcome: Outcome) -> ImportedRule {
                ImportedRule(
                    name: isGate ? nil : spec.name, id: id, path: rule.path, comment: [comment], condition: condition,
                    outcome: outcome)
            }
            switch reading.passPercentage {
            case 100...: found.append(serve(.value(arm)))
            case ...0: found.append(serve(.value(other)))
            default:
                let (draw, border) = try reading.passBucketing()
                let arms: [ArmShare] = [(arm, [0..<border]), (other, [border..<10_000])]
                found.append(serve(.split(draw, arms)))
                var missing = serve(.value(draw.numberOfEmptyText < border ? arm : other))
                missing.comment.append(Self.emptyText(draw.unit))
                found.append(missing)
            }
        }
        endGroups()
        return found
    }

    /// The name of a group for conditions: users to whom a rule applies are in its group, whether or not they pass.
    static func served(_ group: String) -> String { "group \(group)" }

    private func defaultArm(of spec: StatsigSpecs.Spec) throws(ImportProblem) -> Arm {
        guard let value = spec.node.member("defaultValue") else {
            throw spec.node.problem("there is no \"defaultValue\", so Statsig does not know this")
        }
        return try arm(value, at: spec.node, of: spec.kind == .gate, key: "default")
    }

    private func arm(
        _ value: PayloadNode?, at node: PayloadNode, of isGate: Bool, key: String
    ) throws(ImportProblem) -> Arm {
        if isGate {
            guard let flag = value?.value.boolean else { throw (value ?? node).problem("a gate serves true or false") }
            return Arm(key: "\(flag)", settings: [ImportedSetting(spec.name, .boolean(flag))])
        }
        let object = value?.value.asObject ?? [:]
        return Arm(key: key.isEmpty ? "rule" : key, settings: [ImportedSetting(spec.name, .object(object))])
    }

    private static func emptyText(_ unit: String) -> String {
        "Users without \(unit): all of them have the number of an empty text."
    }

    /// Rules that follow each other and have one condition each, about the same buckets: the groups of an experiment.
    private struct Groups {
        let draw: Draw
        let template: ImportedRule
        var arms = ArmShares()

        var rules: [ImportedRule] {
            let arms = arms.shares
            if arms.isEmpty { return [] }
            var (split, missing) = (template, template)
            split.outcome = .split(draw, arms)
            let owner = arms.first { $0.buckets.contains(draw.numberOfEmptyText) }
            guard let arm = owner?.arm else { return [split] }
            missing.outcome = .value(arm)
            missing.condition = .all([template.condition, StatsigRule.isMissing(draw.unit)])
            missing.comment.append(StatsigFlag.emptyText(draw.unit))
            return [split, missing]
        }
    }
}
