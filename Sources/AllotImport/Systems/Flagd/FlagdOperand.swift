import AllotConfiguration
import AllotCore

/// An operand of flagd: a fixed value, an attribute or the time.
enum FlagdOperand {
    case literal(JSONValue)
    /// An attribute, and the value that stands for it where it is missing (`null`: none).
    case attribute(String, fallback: JSONValue)
    case timestamp

    init(_ node: PayloadNode, flagKey: String) throws(ImportProblem) {
        guard node.value.isOperation else {
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
            if fallback.value.isOperation {
                throw fallback.problem("a value that is computed cannot stand for a missing attribute")
            }
            self = .attribute(try first.attributeName(), fallback: fallback.value)
        }
    }

    /// The condition that the value passes a test of an attribute. Returns `nil` for the time and without a test.
    func passes(_ test: (String) -> JSONValue?) -> Guard? {
        switch self {
        case .literal(let value):
            return test(ValueCondition.attribute).map { Self.satisfies(value, $0) ? .always : .never }
        case .attribute(let name, let fallback):
            guard let given = test(name), let other = test(ValueCondition.attribute) else { return nil }
            if fallback == .null { return .condition(given) }
            return .condition(
                Self.satisfies(fallback, other)
                    ? .any([.test(name, ["$exists": false]), given]) : .all([.test(name, ["$exists": true]), given]))
        case .timestamp: return nil
        }
    }

    private static func satisfies(_ value: JSONValue, _ condition: JSONValue) -> Bool {
        ValueCondition(condition)?.holds(for: value) ?? false
    }
}
