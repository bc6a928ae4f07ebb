import AllotConfiguration

/// The names of the attributes of LaunchDarkly's contexts in Allot: those of the kind `user` keep theirs, others stand
/// below the kind (`org.key`). A context exists if its key is a text that is not empty.
struct LaunchDarklyContexts {
    static let user = "user"
    static let userKey = "key"

    let kinds: [String]

    var hasSeveralKinds: Bool { kinds.count > 1 }

    init(_ payload: PayloadNode) {
        var found: Set<String> = []
        // Rollouts, targets, clauses and segments name kinds.
        let parts = [payload["flags"], payload["segments"]]
        for object in parts.flatMap({ $0?.value.objects(outside: "variations") ?? [] }) {
            let names = ["contextKind", "rolloutContextKind", "unboundedContextKind"].compactMap { object[$0] }
            let values = object["attribute"] == "kind" ? object["values"]?.asArray ?? [] : []
            found.formUnion((names + values).compactMap(\.text).filter(Self.isValid))
        }
        found.remove(Self.user)
        kinds = [Self.user] + found.sorted(by: UTF8Order.precedes)
    }

    private static func isValid(_ kind: String) -> Bool {
        !kind.isEmpty && kind != "kind" && kind != "multi"
            && kind.utf8.allSatisfy { $0.isOfPlainName || $0 == UInt8(ascii: ".") }
    }

    /// The kind that a member such as `contextKind` names; `user` where it does not.
    func kind(_ node: PayloadNode?) throws(ImportProblem) -> String {
        guard let node else { return Self.user }
        let kind = try node.text()
        return kind.isEmpty ? Self.user : kind
    }

    func unit(of kind: String) -> String { kind == Self.user ? Self.userKey : "\(kind).\(Self.userKey)" }
    /// The condition that there is a context of a kind. Without other kinds experiments require the key themselves.
    func exists(_ kind: String) -> Guard { hasSeveralKinds ? hasKey(kind) : .always }
    func hasKey(_ kind: String) -> Guard { .condition([unit(of: kind): ["$type": "string", "$ne": ""]]) }

    /// An attribute of a context by its name in Allot.
    enum Attribute {
        case named(String)
        /// `key` or `name`, which are texts.
        case text(String)
        /// `anonymous`, which is false where it is missing.
        case anonymous(String)
        case missing
    }

    /// The attribute that a reference means. Only where a kind is named next to it, a slash leads into objects.
    func attribute(_ node: PayloadNode, kind: String, hasKind: Bool) throws(ImportProblem) -> Attribute {
        let reference = try node.text()
        let steps = try hasKind ? Self.steps(reference, node) : [reference]
        guard let first = steps.first, !first.isEmpty else {
            throw node.problem("the attribute is empty, which LaunchDarkly takes for an error of the flag")
        }
        if first.hasPrefix("$") { throw node.problem("an attribute of Allot's conditions cannot begin with \"$\"") }
        let prefix = kind == Self.user ? "" : "\(kind)."
        let name = prefix + steps.joined(separator: ".")
        if ["key", "name", "anonymous", "kind"].contains(first), steps.count > 1 { return .missing }
        switch first {
        case "key", "name": return .text(name)
        case "anonymous": return .anonymous(name)
        case "kind": throw node.problem("the attribute \"kind\" cannot be used here")
        default:
            if steps.contains(where: AttributePath.leadsIntoObject), steps.count > 1 || kind != Self.user {
                throw node.problem("a name with a dot below another attribute has no equal in Allot")
            }
            if kind == Self.user,
                kinds.dropFirst().contains(where: { first == $0 || first.utf8.starts(with: "\($0).".utf8) })
            {
                throw node.problem(
                    "the user's attribute \(QuotedText(first)) has the name of a kind of contexts, whose attributes "
                        + "stand below it in Allot")
            }
            return .named(name)
        }
    }

    private static func steps(_ reference: String, _ node: PayloadNode) throws(ImportProblem) -> [String] {
        guard reference.hasPrefix("/") else { return [reference] }
        var steps: [String] = []
        for step in reference.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let isEscaped = step.split(separator: "~", omittingEmptySubsequences: false).dropFirst().allSatisfy {
                $0.hasPrefix("0") || $0.hasPrefix("1")
            }
            guard !step.isEmpty, isEscaped else {
                throw node.problem("\(QuotedText(reference)) is not a valid reference, an error of the flag")
            }
            steps.append(String(step).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        return steps
    }
}
