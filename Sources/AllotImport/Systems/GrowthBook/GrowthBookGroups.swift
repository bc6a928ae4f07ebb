import AllotConfiguration

struct GrowthBookGroups {
    enum Group {
        case list(PayloadNode, attribute: String?)
        /// A list without a type, as older versions write them.
        case bareList(PayloadNode)
        case condition(PayloadNode)
    }

    private let node: PayloadNode?
    private var budget = Budget(9_999)
    private var segments: [UTF8Key: String] = [:]
    /// The number of values in the segments' conditions with those of the segments that they use.
    private var sizes: [String: Int] = [:]
    private var entered: Set<String> = []

    private static let depthLimit = 100
    private static let sizeLimit = 1000

    init(_ payload: PayloadNode) throws(ImportProblem) {
        node = payload["savedGroups"]
        _ = try node?.members()
    }

    /// Makes segments of the lists of text and of the conditions, which many rules may use.
    mutating func addSegments(to project: inout ImportedProject) throws(ImportProblem) {
        for (id, group) in try node?.members() ?? [] {
            let list = group.member("values") ?? group
            guard let elements = list.value.asArray, !elements.isEmpty, elements.allSatisfy(\.isText) else { continue }
            segments[UTF8Key(id)] = project.addSegment(id, list.value, comment: ["\(group.path)"])
        }
        // A condition that cannot be exact is a problem of the rules that use it.
        for id in try conditionsInOrder() {
            guard let condition = condition(of: id),
                condition.value.savedGroups.allSatisfy({ segments[UTF8Key($0)] != nil || self.condition(of: $0) == nil }
                ), let translated = try? GrowthBookCondition(groups: refilled).condition(condition),
                translated != .always, translated != .never
            else { continue }
            let size = translated.size(segments: sizes)
            guard size <= Self.sizeLimit else { continue }
            let name = project.addSegment(id, translated, comment: ["\(condition.path)"])
            segments[UTF8Key(id)] = name
            sizes[name] = size
        }
    }

    /// The IDs of conditions, each after its own groups, without those that refer to themselves or are too deep.
    private func conditionsInOrder() throws(ImportProblem) -> [String] {
        var order: [String] = []
        var depths: [UTF8Key: Int] = [:]
        func visit(_ id: String, depth: Int) -> Int {
            if let known = depths[UTF8Key(id)] { return known }
            guard depth < Self.depthLimit, let condition = condition(of: id) else { return 0 }
            depths[UTF8Key(id)] = Self.depthLimit
            let deepest = condition.value.savedGroups.map { visit($0, depth: depth + 1) }.max() ?? 0
            depths[UTF8Key(id)] = deepest + 1
            if deepest < Self.depthLimit { order.append(id) }
            return deepest + 1
        }
        for (id, _) in try node?.members() ?? [] { _ = visit(id, depth: 0) }
        return order
    }

    private func condition(of id: String) -> PayloadNode? {
        guard let group = node?.entry(id), group["type"]?.value == "condition" else { return nil }
        return group["condition"]
    }

    var writtenOut: GrowthBookGroups {
        var copy = self
        copy.segments = [:]
        return copy
    }

    func segment(_ id: PayloadNode) throws(ImportProblem) -> String? { segments[UTF8Key(try id.text())] }

    var refilled: GrowthBookGroups {
        var copy = self
        copy.budget = Budget(9_999)
        return copy
    }

    func entering(_ id: PayloadNode) throws(ImportProblem) -> GrowthBookGroups {
        try budget.spend(at: id, "saved groups use each other so often that the condition would be too long")
        var inner = self
        guard inner.entered.insert(try id.text()).inserted else { throw id.problem("the saved group refers to itself") }
        guard inner.entered.count <= Self.depthLimit else {
            throw id.problem("more than \(Self.depthLimit) saved groups stand within each other")
        }
        return inner
    }

    /// The group with an ID. Returns `nil` if it does not exist, which GrowthBook takes for an empty one.
    func group(_ id: PayloadNode) throws(ImportProblem) -> Group? {
        guard let group = node?.entry(try id.text()) else { return nil }
        if case .array = group.value { return .bareList(group) }
        let type = try group.required("type")
        switch try type.text() {
        case "list": return .list(try group.required("values"), attribute: try group["attributeKey"]?.text())
        case "condition": return .condition(try group.required("condition"))
        case let other: throw type.problem("unknown type of saved groups \(QuotedText(other))")
        }
    }
}

extension JSONValue {
    fileprivate var savedGroups: [String] {
        allMembers.filter { $0.key == "$savedGroup" }.compactMap { $0.value.asObject?["id"]?.text }
    }
}
