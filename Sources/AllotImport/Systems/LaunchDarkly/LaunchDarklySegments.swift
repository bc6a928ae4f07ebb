import AllotConfiguration
import AllotCore

/// Translates segments. One without a percentage becomes a named condition, others are written out where they are used.
struct LaunchDarklySegments {
    private let payload: PayloadNode?
    private let contexts: LaunchDarklyContexts
    private let uses: [UTF8Key: LaunchDarklyUses]
    private var known: [UTF8Key: Result<Guard, ImportProblem>] = [:]
    /// The number of rules in each known segment that is written out where it is used, with those in its segments.
    private var sizes: [UTF8Key: Int] = [:]

    private static let maximumDepth = 100
    private static let maximumSize = 10_000

    init(_ payload: PayloadNode, _ contexts: LaunchDarklyContexts) {
        self.payload = payload["segments"]
        self.contexts = contexts
        let segments = ((try? self.payload?.members()) ?? []).filter { $0.value["deleted"]?.value != true }
        uses = segments.byKey.mapValues(LaunchDarklyUses.init)
    }

    func condition(_ value: PayloadNode) throws(ImportProblem) -> Guard {
        guard let key = value.value.text, let found = known[UTF8Key(key)] else { return .never }
        return try found.get()
    }

    mutating func read(_ flags: [PayloadNode], into project: inout ImportedProject) {
        for flag in flags {
            for key in LaunchDarklyUses(flag).references { read(key, within: [], into: &project) }
        }
    }

    /// The uses of a flag, itself or in segments to which it refers, however long the way is.
    func uses(of flag: PayloadNode) -> LaunchDarklyUses {
        var uses = LaunchDarklyUses(flag)
        var seen: Set<UTF8Key> = []
        var pending = uses.references
        while let key = pending.popLast() {
            guard seen.insert(UTF8Key(key)).inserted, let segment = self.uses[UTF8Key(key)] else { continue }
            uses.add(segment)
            pending += segment.references
        }
        return uses
    }

    private mutating func read(_ name: String, within outer: [UTF8Key], into project: inout ImportedProject) {
        let key = UTF8Key(name)
        guard known[key] == nil else { return }
        guard let node = payload?.entry(name), node["deleted"]?.value != true else { return }
        guard !outer.contains(key), outer.count < Self.maximumDepth else {
            let problem =
                outer.contains(key)
                ? "the segment refers to itself, which LaunchDarkly takes for an error of the flag"
                : "segments refer to each other more than \(Self.maximumDepth) deep"
            known[key] = .failure(node.problem(problem))
            return
        }
        let references = uses[key]?.references ?? []
        for inner in references { read(inner, within: outer + [key], into: &project) }
        // A segment that refers to itself is known by now.
        guard known[key] == nil else { return }
        do throws(ImportProblem) {
            let condition = try translated(node)
            if let json = condition.json {
                let segment = project.addSegment(name, json, comment: ["LaunchDarkly: segment \(name)"])
                known[key] = .success(.condition(["$segment": .string(segment)]))
                return
            }
            let size = try references.reduce(node.list("rules").count) { $0 + (sizes[UTF8Key($1)] ?? 0) }
            guard size <= Self.maximumSize else {
                throw node.problem("with the segments that it refers to it has more than \(Self.maximumSize) rules")
            }
            sizes[key] = size
            known[key] = .success(condition)
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
        let rules = try node.list("rules").map { rule throws(ImportProblem) in
            try condition(of: rule, key: key, salt: salt)
        }
        let included = try listed(node, "included", "includedContexts")
        let excluded = try listed(node, "excluded", "excludedContexts")
        if rules.isEmpty { return included }
        return .any([included, .all([.not(excluded), .any(rules)])])
    }

    private func listed(_ node: PayloadNode, _ users: String, _ others: String) throws(ImportProblem) -> Guard {
        var found: [Guard] = []
        if let keys = node[users] { found.append(try contexts.hasKey(keys, kind: LaunchDarklyContexts.user)) }
        for list in try node.list(others) {
            found.append(try contexts.hasKey(list.required("values"), kind: contexts.kind(list["contextKind"])))
        }
        return .any(found)
    }

    private func condition(of rule: PayloadNode, key: String, salt: String) throws(ImportProblem) -> Guard {
        var parts = try rule.required("clauses").elements().map { clause throws(ImportProblem) in
            try LaunchDarklyClause(clause, contexts, self).condition()
        }
        if let weight = rule["weight"] {
            let share = Double(try weight.integer()) / 100_000
            let bucketing = try LaunchDarklyBucketing(
                rule, kindName: "rolloutContextKind", salt: "\(key).\(salt)", contexts)
            parts.append(bucketing.isBelow(share))
        }
        return .all(parts)
    }
}

extension LaunchDarklyContexts {
    func hasKey(_ keys: PayloadNode, kind: String) throws(ImportProblem) -> Guard {
        let keys = try keys.texts().sorted(by: UTF8Order.precedes)
        guard !keys.isEmpty else { return .never }
        let unit = unit(of: kind)
        let list = JSONValue.strings(keys)
        if keys.count == 1 { return .condition([unit: ["$eq": .string(keys[0])]]) }
        // `$in` looks into lists; a key that is the unit is never a list.
        return .condition([unit: hasSeveralKinds ? ["$in": list, "$type": "string"] : ["$in": list]])
    }
}

/// The uses of a flag or a segment that the report names, and the segments to which it refers.
struct LaunchDarklyUses {
    private(set) var comparesInstants = false
    private(set) var drawsByAttribute = false
    private(set) var references: [String] = []

    init(_ flagOrSegment: PayloadNode) {
        let parts = [flagOrSegment["rules"], flagOrSegment["fallthrough"]]
        for object in parts.flatMap({ $0?.value.objects(outside: "variations") ?? [] }) {
            if let name = object["op"]?.text {
                if ["before", "after"].contains(name) { comparesInstants = true }
                if name == "segmentMatch" { references += object["values"]?.asArray?.compactMap(\.text) ?? [] }
            } else if let name = object["bucketBy"]?.text, !["", "key", "/key"].contains(name) {
                drawsByAttribute = true
            }
        }
    }

    /// Adds what a segment to which this refers uses, but not its references.
    mutating func add(_ segment: LaunchDarklyUses) {
        comparesInstants = comparesInstants || segment.comparesInstants
        drawsByAttribute = drawsByAttribute || segment.drawsByAttribute
    }
}
