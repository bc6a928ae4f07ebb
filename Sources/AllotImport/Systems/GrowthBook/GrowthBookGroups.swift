import AllotConfiguration

/// GrowthBook's saved groups, by ID.
struct GrowthBookGroups {
    enum Group {
        case list(PayloadNode, attribute: String?)
        case condition(PayloadNode)
    }

    private let node: PayloadNode?
    /// The number of conditions of groups that may still be written out. Groups that use others twice, which do too,
    /// would come to more than any machine can hold.
    private var budget = Budget()

    private final class Budget {
        var left = 10_000
    }
    /// The segments that lists have become, by the groups' IDs.
    private var segments: [String: String] = [:]
    /// The groups within which a condition stands.
    private var entered: Set<String> = []

    init(_ payload: PayloadNode) throws(ImportProblem) {
        node = payload["savedGroups"]
        _ = try node?.members()
    }

    /// Makes segments of the lists of text, which many rules may use.
    mutating func addSegments(to project: inout ImportedProject) throws(ImportProblem) {
        for (id, group) in try node?.members() ?? [] {
            let list = group.member("values") ?? group
            guard case .array(let elements) = list.value, !elements.isEmpty, elements.allSatisfy(\.isText) else {
                continue
            }
            segments[id] = project.addSegment(id, list.value, comment: ["\(group.path)"])
        }
    }

    /// The groups with their lists written out in conditions.
    var writtenOut: GrowthBookGroups {
        var copy = self
        copy.segments = [:]
        return copy
    }

    /// The segment that a list has become. Returns `nil` for one that is written out.
    func segment(_ id: PayloadNode) throws(ImportProblem) -> String? {
        segments[try id.text()]
    }

    /// The groups for another feature.
    var refilled: GrowthBookGroups {
        var copy = self
        copy.budget = Budget()
        return copy
    }

    /// The groups for the condition of one of them.
    func entering(_ id: PayloadNode) throws(ImportProblem) -> GrowthBookGroups {
        budget.left -= 1
        guard budget.left > 0 else {
            throw id.problem("saved groups use each other so often that the condition would be too long")
        }
        var inner = self
        guard inner.entered.insert(try id.text()).inserted else {
            throw id.problem("the saved group refers to itself")
        }
        return inner
    }

    /// The group with an ID. Returns `nil` if it does not exist, which GrowthBook takes for an empty one.
    func group(_ id: PayloadNode) throws(ImportProblem) -> Group? {
        guard let group = node?[try id.text()] else { return nil }
        if case .array = group.value { return .list(group, attribute: nil) }
        let type = try group.required("type")
        switch try type.text() {
        case "list": return .list(try group.required("values"), attribute: try group["attributeKey"]?.text())
        case "condition": return .condition(try group.required("condition"))
        case let other: throw type.problem("unknown type of saved groups \(QuotedText(other))")
        }
    }
}

extension JSONValue {
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }
}
