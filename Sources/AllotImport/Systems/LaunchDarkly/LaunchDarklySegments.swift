import Allot
import AllotConfiguration

/// Translates segments: lists of keys that are included or excluded, and rules, some with a percentage.
///
/// A segment without a percentage becomes a named condition. Others are written out where they are used.
struct LaunchDarklySegments {
    private let payload: PayloadNode?
    private let contexts: LaunchDarklyContexts
    /// What is known of the segments that flags refer to, by key.
    private var known: [String: Result<Guard, ImportProblem>] = [:]

    private static let maximumDepth = 100

    init(_ payload: PayloadNode, _ contexts: LaunchDarklyContexts) {
        self.payload = payload["segments"]
        self.contexts = contexts
    }

    /// When a context is in the segment that a value of `segmentMatch` names.
    func condition(_ value: PayloadNode) throws(ImportProblem) -> Guard {
        guard let key = try? value.text(), let found = known[key] else { return .never }
        switch found {
        case .success(let condition): return condition
        case .failure(let problem): throw problem
        }
    }

    /// Translates the segments that flags refer to.
    mutating func read(_ flags: [PayloadNode], into project: inout ImportedProject) {
        for flag in flags {
            for key in Self.references(flag.value) { read(key, within: [], into: &project) }
        }
    }

    /// The keys in clauses with `segmentMatch`, in their order.
    private static func references(_ value: JSONValue?) -> [String] {
        switch value {
        case .array(let elements)?: return elements.flatMap { references($0) }
        case .object(let object)?:
            if object["op"] == "segmentMatch", case .array(let values)? = object["values"] {
                return values.compactMap { if case .string(let key) = $0 { key } else { nil } }
            }
            return object.members.filter { $0.key != "variations" }.flatMap { references($0.value) }
        default: return []
        }
    }

    // MARK: What flags use

    /// Whether a clause of a flag, or of a segment that it refers to, has one of the operators.
    func tests(_ flag: PayloadNode, with operators: Set<String>) -> Bool {
        uses(flag) { object in
            if case .string(let name)? = object["op"] { operators.contains(name) } else { false }
        }
    }

    /// Whether a rollout of a flag, or of a segment that it refers to, is by an attribute.
    func drawsByAttribute(_ flag: PayloadNode) -> Bool {
        uses(flag) { object in
            if case .string(let name)? = object["bucketBy"] { !["", "key", "/key"].contains(name) } else { false }
        }
    }

    private func uses(_ flag: PayloadNode, _ isWanted: (JSONObject) -> Bool) -> Bool {
        var seen: Set<String> = []
        func contains(_ value: JSONValue?) -> Bool {
            switch value {
            case .array(let elements)?: return elements.contains { contains($0) }
            case .object(let object)?:
                if isWanted(object) { return true }
                if object["op"] == "segmentMatch", case .array(let keys)? = object["values"] {
                    for case .string(let key) in keys where seen.insert(key).inserted && contains(payload?[key]?.value)
                    {
                        return true
                    }
                }
                return object.members.contains { $0.key != "variations" && contains($0.value) }
            default: return false
            }
        }
        return contains(flag.value)
    }

    private mutating func read(_ key: String, within outer: [String], into project: inout ImportedProject) {
        guard known[key] == nil else { return }
        guard let node = payload?[key], node["deleted"]?.value != true else { return }
        guard !outer.contains(key), outer.count < Self.maximumDepth else {
            let problem =
                outer.contains(key)
                ? "the segment refers to itself, which LaunchDarkly takes for an error of the flag"
                : "segments refer to each other more than \(Self.maximumDepth) deep"
            known[key] = .failure(node.problem(problem))
            return
        }
        for inner in Self.references(node["rules"]?.value) {
            read(inner, within: outer + [key], into: &project)
        }
        // A segment that refers to itself is known by now.
        guard known[key] == nil else { return }
        do throws(ImportProblem) {
            let condition = try translated(node)
            guard let json = GuardAlternatives.conditionJSON(condition, isNegated: false) else {
                known[key] = .success(condition)
                return
            }
            let name = project.addSegment(key, json, comment: ["LaunchDarkly: segment \(key)"])
            known[key] = .success(.condition(["$segment": .string(name)]))
        } catch {
            known[key] = .failure(error)
        }
    }

    private func translated(_ node: PayloadNode) throws(ImportProblem) -> Guard {
        if try node["unbounded"]?.boolean() == true {
            throw node.problem("a big segment, whose members are in a store of their own and not in the payload")
        }
        let key = try node.required("key").text()
        let salt = try node["salt"]?.text() ?? ""
        var rules: [Guard] = []
        for rule in try node["rules"]?.elements() ?? [] { rules.append(try condition(of: rule, key: key, salt: salt)) }
        let included = try listed(node, "included", "includedContexts")
        let excluded = try listed(node, "excluded", "excludedContexts")
        if rules.isEmpty { return included }
        return .any([included, .all([.not(excluded), .any(rules)])])
    }

    private func listed(_ node: PayloadNode, _ users: String, _ others: String) throws(ImportProblem) -> Guard {
        var found: [Guard] = []
        if let keys = node[users] { found.append(try contexts.hasKey(keys, kind: LaunchDarklyContexts.user)) }
        for list in try node[others]?.elements() ?? [] {
            found.append(try contexts.hasKey(list.required("values"), kind: contexts.kind(list["contextKind"])))
        }
        return .any(found)
    }

    private func condition(of rule: PayloadNode, key: String, salt: String) throws(ImportProblem) -> Guard {
        var parts: [Guard] = []
        for clause in try rule.required("clauses").elements() {
            parts.append(try LaunchDarklyClause(clause, contexts, self).condition())
        }
        if let weight = rule["weight"] {
            let share = Double(try weight.integer()) / 100_000
            let bucketing = try LaunchDarklyBucketing(
                rule, kindName: "rolloutContextKind", salt: "\(key).\(salt)", contexts)
            parts.append(try bucketing.isBelow(share))
        }
        return .all(parts)
    }
}

extension LaunchDarklyContexts {
    /// Whether the key of a context is in a list.
    func hasKey(_ keys: PayloadNode, kind: String) throws(ImportProblem) -> Guard {
        let keys = try keys.texts().sorted(by: UTF8Order.precedes)
        guard !keys.isEmpty else { return .never }
        let unit = unit(of: kind)
        let list = JSONValue.array(keys.map { .string($0) })
        if keys.count == 1 { return .condition([unit: ["$eq": .string(keys[0])]]) }
        // `$in` looks into lists; a key that is the unit is never a list.
        return .condition([unit: hasSeveralKinds ? ["$in": list, "$type": "string"] : ["$in": list]])
    }
}
