import AllotConfiguration

/// The operator that asks whether there is a value.
enum PresenceOperator: String, Operator {
    case exists = "$exists"

    func isNegation(of literal: JSONValue) -> Bool { literal == false }
    func words(for literal: JSONValue) -> String { literal == true ? "is given" : "is missing" }

    func predicate<Node>(_ operand: Operand<Node>, _ reading: inout ConditionReading<Node>) -> Condition.Predicate? {
        if case .boolean = operand.node.json { return .exists }
        reading.report(operand.node, "$exists takes true or false, not \(operand.node.json.described)")
        return nil
    }
}
