import AllotConfiguration

/// The operators that look for an address in networks.
enum NetworkOperator: String, Operator {
    case inNetwork = "$inNetwork"
    case notInNetwork = "$notInNetwork"

    var isNegation: Bool { self == .notInNetwork }

    func words(for literal: JSONValue) -> String { "\(verb) an address in \(literal.alternatives)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        guard let texts = reading.texts(operand.node, of: rawValue) else { return nil }
        var networks: [IPNetwork] = []
        for (text, node) in texts {
            do {
                networks.append(try IPNetwork(text))
            } catch {
                reading.report(node, "\(QuotedText(text)) \(error.reason)")
            }
        }
        return .inNetwork(networks)
    }
}
