import AllotConfiguration

/// GrowthBook's saved groups, by ID.
struct GrowthBookGroups {
    enum Group {
        case list(PayloadNode, attribute: String?)
        case condition(PayloadNode)
    }

    private let node: PayloadNode?
    /// The groups within which a condition stands.
    private var entered: Set<String> = []

    init(_ payload: PayloadNode) throws(ImportProblem) {
        node = payload["savedGroups"]
        _ = try node?.members()
    }

    /// The groups for the condition of one of them.
    func entering(_ id: PayloadNode) throws(ImportProblem) -> GrowthBookGroups {
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
