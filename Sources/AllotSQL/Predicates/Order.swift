import AllotCore

extension Columns {
    mutating func order(
        _ ordering: Condition.Ordering, _ number: Double, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        .test("\(try self.number(attribute)) \(ordering.symbol) \(syntax.literal(number))")
    }

    mutating func order(
        _ ordering: Condition.Ordering, _ literal: String, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        .test("\(try text(attribute, as: .text)) \(ordering.symbol) \(try syntax.literal(literal))")
    }

    /// The column of an attribute's number, NULL if its text is not a number.
    mutating func number(_ attribute: String) throws(Unsupported) -> String {
        let text = try self.text(attribute, as: .number)
        let name = self.name("number_", attribute)
        // Adding 0 turns -0 into 0, for engines that compare numbers by their bytes.
        stages.readings.add(
            name,
            "CASE WHEN \(syntax.byteCount(text)) <= 40 AND \(syntax.matchesWholly(text, PlainPattern.number)) THEN "
                + "\(syntax.double(text)) + 0 END")
        return name
    }
}

extension Condition.Ordering {
    var symbol: String {
        switch self {
        case .equal: "="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
