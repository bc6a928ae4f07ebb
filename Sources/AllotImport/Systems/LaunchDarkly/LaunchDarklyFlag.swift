import AllotConfiguration
import AllotCore

/// Translates one flag: prerequisites, targets, rules and the fallthrough, of which the first that applies decides.
struct LaunchDarklyFlag {
    let key: String
    let node: PayloadNode
    let contexts: LaunchDarklyContexts
    private let segments: LaunchDarklySegments
    private let flags: [UTF8Key: PayloadNode]
    private let variations: [PayloadNode]
    private let names: [String]

    init(
        _ key: String, _ node: PayloadNode, of flags: [UTF8Key: PayloadNode], _ contexts: LaunchDarklyContexts,
        _ segments: LaunchDarklySegments
    ) throws(ImportProblem) {
        (self.key, self.node, self.flags, self.contexts, self.segments) = (key, node, flags, contexts, segments)
        variations = try node.list("variations")
        names = try Self.names(of: node)
    }

    private static func names(of flag: PayloadNode) throws(ImportProblem) -> [String] {
        var table = NameTable(reserved: [off])
        return try flag.list("variations").enumerated().map { table.unique(name($1.value, $0)) }
    }

    /// The key of the arm of a flag that is off and has no variation for this.
    private static let off = "off"

    /// Payloads have no names of variations, so that short texts and booleans name themselves.
    private static func name(_ value: JSONValue, _ index: Int) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .string(let text) where Salt.isValid(text) && text.utf8.count <= 32: text
        default: "variation-\(index)"
        }
    }

    func imported() throws(ImportProblem) -> ImportedFlag {
        guard node["variations"] != nil || node["on"] != nil else {
            throw node.problem("a flag of LaunchDarkly has \"variations\" and \"on\", and this has neither")
        }
        guard try node["on"]?.boolean() ?? false else { return flag([], otherwise: try offArm()) }
        var rules = try prerequisites() + targets()
        for (index, rule) in try node.list("rules").enumerated() {
            let title = try rule["id"]?.text() ?? ""
            let comment = "LaunchDarkly flag \(key), rule \(index + 1)" + (title.isEmpty ? "" : " (\(title))")
            rules += try self.rules(
                rule, name: RuleID.name(key, RuleID.short(rule.annotation("id")) ?? "rule-\(index + 1)"),
                comment: comment)
        }
        guard let last = node["fallthrough"] else {
            throw node.problem("the flag is on and has no \"fallthrough\", which LaunchDarkly takes for an error")
        }
        if let variation = last["variation"] {
            let arm = try arm(variation)
            return flag(rules + others(arm), otherwise: arm)
        }
        let rollout = try rollout(last, .always, name: key, comment: "LaunchDarkly flag \(key), default rule")
        return flag(rules + rollout.rules + others(rollout.first), otherwise: rollout.first)
    }

    /// Rules for contexts that are no users and to whom no rule applies, where the base cannot hold the value.
    private func others(_ arm: Arm) -> [ImportedRule] {
        var types = Set(variations.map(\.value.typeName))
        if node["offVariation"] == nil { types.insert("null") }
        guard contexts.hasSeveralKinds, types.count > 1 || types == ["object"] else { return [] }
        return contexts.kinds.dropFirst().flatMap { kind in
            values(
                contexts.hasKey(kind), arm, kinds: [kind], name: "\(key)-\(kind)", at: node.path,
                comment: "LaunchDarkly flag \(key): contexts of the kind \(kind) to whom no rule applies")
        }
    }

    private func flag(_ rules: [ImportedRule], otherwise arm: Arm) -> ImportedFlag {
        ImportedFlag(key: key, path: node.path, settings: arm.settings, rules: rules, defaultArm: arm.key)
    }

    func arm(_ index: PayloadNode) throws(ImportProblem) -> Arm {
        let number = try index.integer()
        guard variations.indices.contains(number) else {
            throw index.problem(
                "the flag has \(variations.count) variations and none with the index \(number); LaunchDarkly serves "
                    + "the default value of the app's code")
        }
        return Arm(key: names[number], settings: [ImportedSetting(key, variations[number].value)])
    }

    /// The arm of the flag while it is off: `null` where the app's code has the default.
    private func offArm() throws(ImportProblem) -> Arm {
        guard let variation = node["offVariation"] else {
            return Arm(key: Self.off, settings: [ImportedSetting(key, .null)])
        }
        return try arm(variation)
    }

    private func prerequisites() throws(ImportProblem) -> [ImportedRule] {
        let met = try node.list("prerequisites").map { prerequisite throws(ImportProblem) -> Guard in
            let name = try prerequisite.required("key").text()
            let index = try prerequisite.required("variation").integer()
            // One that is off or does not exist serves nothing.
            guard let other = flags[UTF8Key(name)], other["deleted"]?.value != true, other["on"]?.value == true,
                case let names = try Self.names(of: other), names.indices.contains(index)
            else { return .never }
            return .serves(flag: name, arms: [names[index]], orDefault: false)
        }
        if met.isEmpty { return [] }
        return try values(
            .not(.all(met)), offArm(), kinds: contexts.kinds, name: "\(key)-off", at: node.path,
            comment: "LaunchDarkly flag \(key): off where a prerequisite is not met")
    }

    private func targets() throws(ImportProblem) -> [ImportedRule] {
        let users = try node.list("targets")
        let others = try node.list("contextTargets")
        var found: [(keys: PayloadNode, kind: String, variation: PayloadNode)] = []
        for target in others.isEmpty ? users : [] {
            found.append((try target.required("values"), LaunchDarklyContexts.user, try target.required("variation")))
        }
        for target in others {
            let kind = try contexts.kind(target["contextKind"])
            let variation = try target.required("variation")
            guard kind == LaunchDarklyContexts.user else {
                found.append((try target.required("values"), kind, variation))
                continue
            }
            // The keys of users are in the other list, under the same variation.
            let index = try variation.integer()
            for user in users where try user.required("variation").integer() == index {
                found.append((try user.required("values"), kind, variation))
                break
            }
        }
        var rules: [ImportedRule] = []
        for target in found {
            let condition = try contexts.hasKey(target.keys, kind: target.kind)
            if case .never = condition { continue }
            rules += try values(
                condition, arm(target.variation), kinds: [target.kind], name: "\(key)-targets", at: target.keys.path,
                comment: "LaunchDarkly flag \(key): individual targets")
        }
        return rules
    }

    private func rules(_ rule: PayloadNode, name: String, comment: String) throws(ImportProblem) -> [ImportedRule] {
        var parts: [Guard] = []
        var required: String?
        for clause in try rule.required("clauses").elements() {
            let clause = try LaunchDarklyClause(clause, contexts, segments)
            parts.append(try clause.condition())
            if required == nil { required = try clause.requiredKind() }
        }
        if let variation = rule["variation"] {
            return try values(
                .all(parts), arm(variation), kinds: required.map { [$0] } ?? contexts.kinds, name: name, at: rule.path,
                comment: comment)
        }
        return try rollout(rule, .all(parts), name: name, comment: comment).rules
    }

    func values(
        _ condition: Guard, _ arm: Arm, kinds: [String], name: String, at path: PayloadPath, comment: String
    ) -> [ImportedRule] {
        kinds.map { kind in
            ImportedRule(
                name: name, path: path, comment: [comment], condition: condition, outcome: .value(arm),
                unit: contexts.unit(of: kind))
        }
    }
}

extension LaunchDarklyFlag {
    /// A rollout's rules, and the arm of contexts without a number.
    func rollout(
        _ node: PayloadNode, _ condition: Guard, name: String, comment: String
    ) throws(ImportProblem) -> (rules: [ImportedRule], first: Arm) {
        guard let rollout = node["rollout"], let weights = try rollout["variations"]?.elements(), !weights.isEmpty
        else { throw node.problem("there is neither a variation nor a rollout, an error of the flag") }
        let isExperiment = try rollout["kind"]?.text() == "experiment"
        let flagKey = try self.node.required("key").text()
        let bucketing = try LaunchDarklyBucketing(
            rollout, kindName: "contextKind", salt: "\(flagKey).\(self.node["salt"]?.text() ?? "")", contexts,
            ignoresAttribute: isExperiment)
        let split = try arms(weights)
        func owner(of number: Int) -> Arm? { split.first { $0.buckets.contains(number) }?.arm }
        guard let first = owner(of: 0),
            let fallback = try weights.first.map({ node throws(ImportProblem) in try arm(node.required("variation")) })
        else { throw rollout.problem("no variation has the first bucket") }
        var rules: [ImportedRule] = []
        func serve(_ arm: Arm, if guards: Guard..., kinds: [String], _ why: String) {
            rules += values(
                .all([condition] + guards), arm, kinds: kinds, name: name, at: node.path, comment: "\(comment): \(why)")
        }
        let exists = contexts.exists(bucketing.kind)
        if bucketing.isConstant {
            serve(first, if: exists, kinds: [bucketing.kind], "contexts without a number get the first variation")
        } else {
            if bucketing.isByAttribute, let arm = owner(of: bucketing.draw.numberOfEmptyText), arm != first {
                serve(arm, if: exists, bucketing.isEmpty, kinds: [bucketing.kind], "an empty text has a number too")
            }
            let what = isExperiment ? "experiment" : "rollout"
            rules.append(
                ImportedRule(
                    name: name, path: rollout.path, comment: ["\(comment): \(what)"],
                    condition: bucketing.isByAttribute
                        ? .all([condition, contexts.hasKey(bucketing.kind), bucketing.admits]) : condition,
                    outcome: .split(bucketing.draw, split)))
            if bucketing.isByAttribute {
                serve(
                    first, if: exists, kinds: [bucketing.kind],
                    "contexts without the attribute get the first variation")
            }
        }
        if contexts.hasSeveralKinds {
            let others = contexts.kinds.filter { $0 != bucketing.kind }
            serve(
                fallback, if: .not(exists), kinds: others,
                "without a context of the kind \(bucketing.kind) the first variation is served")
        }
        return (rules, contexts.hasSeveralKinds ? fallback : first)
    }

    private func arms(_ weights: [PayloadNode]) throws(ImportProblem) -> [ArmShare] {
        var found: [ArmShare] = []
        var (sum, start) = (0.0, 0)
        for (index, weighted) in weights.enumerated() {
            let weight = try weighted.required("weight").integer()
            guard weight >= 0 else { throw weighted.problem("the weight \(weight) is negative") }
            sum += Double(weight) / 100_000
            // The last variation has what is left, which is how the SDKs handle sums below 1.
            let isLast = index == weights.count - 1
            let end = isLast ? LaunchDarklyBucketing.bucketCount : HashScheme.launchdarkly1.border(below: sum)
            guard start < end else { continue }
            found.append((try arm(weighted.required("variation")), [start..<end]))
            start = end
        }
        return found
    }
}
