import AllotConfiguration

/// The operator that asks for the type of a value.
enum TypeOperator: String, Operator {
    case type = "$type"

    func words(for literal: JSONValue) -> String { "is of type \(literal.unquoted)" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        let known = Condition.ValueType.allCases.map(\.rawValue)
        guard let name = reading.text(operand.node, of: rawValue) else { return nil }
        guard let type = Condition.ValueType(rawValue: name) else {
            reading.report(
                operand.node, "unknown type \(QuotedText(name)); the types are \(known.joined(separator: ", "))",
                unknown: (name, known))
            return nil
        }
        return .type(type)
    }
}

extension Condition {
    /// The types that `$type` can name.
    package enum ValueType: String, Sendable, CaseIterable { case string, number, boolean, array, object, null }
}
