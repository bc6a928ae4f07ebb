import AllotConfiguration
import AllotCore

/// The draw of a rollout or of the percentage of a segment: which attribute of which context, and with which salt.
struct LaunchDarklyBucketing {
    let contexts: LaunchDarklyContexts
    let kind: String
    let draw: Draw
    /// Whether the unit is another attribute than the key, which may be missing.
    let isByAttribute: Bool
    /// Whether only text has a number: a name that is a number does not exist for LaunchDarkly.
    private var isText = false
    /// Whether LaunchDarkly draws the number 0 for all units, because the attribute is never a text or whole number.
    let isConstant: Bool

    static let bucketCount = HashScheme.launchdarkly1.defaultResolution

    init(
        _ node: PayloadNode, kindName: String, salt: String, _ contexts: LaunchDarklyContexts,
        ignoresAttribute: Bool = false
    ) throws(ImportProblem) {
        self.contexts = contexts
        kind = try contexts.kind(node[kindName])
        let salt = try node["seed"]?.integer().description ?? salt
        var unit = contexts.unit(of: kind)
        var isConstant = false
        if !ignoresAttribute, let bucketBy = node["bucketBy"], bucketBy.value != "" {
            let hasKind = !(try node[kindName]?.text() ?? "").isEmpty
            switch try contexts.attribute(bucketBy, kind: kind, hasKind: hasKind) {
            case .named(let name): unit = name
            case .text(let name):
                unit = name
                isText = name != contexts.unit(of: kind)
            case .anonymous, .missing: isConstant = true
            }
        }
        self.isConstant = isConstant
        isByAttribute = unit != contexts.unit(of: kind)
        draw = Draw(.launchdarkly1, salt: try node.salt(salt), unit: unit)
    }

    var admits: Guard { isText ? .condition([draw.unit: ["$type": "string"]]) : .always }
    /// The condition that the attribute is an empty text, which has a number in LaunchDarkly and none in Allot.
    var isEmpty: Guard { .condition([draw.unit: ["$eq": ""]]) }

    /// The condition that a context's number is below a share. Without a context it is: LaunchDarkly draws -1.
    func isBelow(_ share: Double) -> Guard {
        let border = HashScheme.launchdarkly1.border(below: share)
        var found: [Guard] = []
        if isConstant {
            found.append(border > 0 ? contexts.exists(kind) : .never)
        } else {
            // A draw on the key asks for it; others have to, since without a key there is not any context.
            let isContext = isByAttribute ? contexts.hasKey(kind) : .always
            found.append(.all([isContext, admits, .draw(draw, [0..<border])]))
            if isByAttribute, border > 0 {
                let hasNumber = Guard.all([admits, .draw(draw, [0..<Self.bucketCount])])
                found.append(.all([isContext, .not(hasNumber), .not(isEmpty)]))
                if draw.numberOfEmptyText < border { found.append(.all([isContext, isEmpty])) }
            }
        }
        if contexts.hasSeveralKinds { found.append(.not(contexts.exists(kind))) }
        return .any(found)
    }
}
