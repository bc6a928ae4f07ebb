import Allot
import AllotConfiguration

/// What flagd compares: a fixed value, an attribute or the time.
enum FlagdOperand {
    case literal(JSONValue)
    /// An attribute, and the value that stands for it where it is missing (`null`: none).
    case attribute(String, fallback: JSONValue)
    /// The time in whole seconds since 1970.
    case timestamp

    init(_ node: PayloadNode, flagKey: String) throws(ImportProblem) {
        guard case .object(let object) = node.value, object.members.count == 1 else {
            self = .literal(node.value)
            return
        }
        let (name, arguments) = try FlagdTargeting.operation(node)
        guard name == "var", let first = arguments.first else {
            throw node.problem("a value that is computed with \(QuotedText(name)) cannot be compared exactly")
        }
        let path = try first.text()
        switch path {
        case "$flagd.flagKey": self = .literal(.string(flagKey))
        case "$flagd.timestamp": self = .timestamp
        default:
            guard !path.hasPrefix("$flagd"),
                !AttributePath.parts(of: path).contains(where: \.asksList)
            else { throw node.problem("\(QuotedText(path)) is not an attribute that Allot has") }
            let fallback = arguments.count > 1 ? arguments[1] : PayloadNode(.null)
            if case .object(let object) = fallback.value, object.members.count == 1 {
                throw fallback.problem("a value that is computed cannot stand for a missing attribute")
            }
            self = .attribute(try first.attributeName(), fallback: fallback.value)
        }
    }

    /// The condition that the value passes a test, which is given the name of an attribute; a fixed value passes it or
    /// not. Returns `nil` for the time, and where there is no such test.
    func passes(_ test: (String) -> JSONValue?) -> Guard? {
        switch self {
        case .literal(let value): return test(Self.name).map { Self.satisfies(value, $0) ? .always : .never }
        case .attribute(let name, let fallback):
            guard let given = test(name), let other = test(Self.name) else { return nil }
            if fallback == .null { return .condition(given) }
            return .condition(
                Self.satisfies(fallback, other)
                    ? ConditionJSON.any([.test(name, ["$exists": false]), given])
                    : ConditionJSON.all([.test(name, ["$exists": true]), given]))
        case .timestamp: return nil
        }
    }

    // MARK: Fixed values

    /// The attribute that a fixed value is tested as.
    private static let name = "value"

    /// Whether a value satisfies a condition on the attribute ``name``, decided as a unit would be.
    private static func satisfies(_ value: JSONValue, _ condition: JSONValue) -> Bool {
        guard let salt = Salt(name), let audience = ConditionParser.parse(condition, segments: SegmentTable()).condition
        else { return false }
        let variant = VariantDefinition(key: name, buckets: [0..<Bucketing.bucketCount], overrides: [:])
        var experiment = ExperimentDefinition(key: name, status: .running, salt: salt, variants: [variant])
        experiment.audience = audience
        let plan = Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: [experiment]))
        let subject = Subject(id: name, attributes: [name: value])
        return plan.assignments(for: subject, at: Instant(seconds: 0)).first?.variant != nil
    }
}
