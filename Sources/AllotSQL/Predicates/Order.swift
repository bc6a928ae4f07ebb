import AllotCore

extension AudienceTranslator {
    func order(
        _ ordering: Condition.Ordering, _ number: Double, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        .test("\(try columns.number(attribute)) \(ordering.symbol) \(syntax.literal(number))")
    }

    func order(
        _ ordering: Condition.Ordering, _ literal: String, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        let text = try columns.text(attribute, as: .text)
        return .test("\(text) \(ordering.symbol) \(try syntax.literal(literal))")
    }
}

extension Columns {
    /// The column of an attribute's number, NULL if its text is not a number.
    mutating func number(_ attribute: String) throws(Unsupported) -> String {
        let text = try text(attribute, as: .number)
        let name = name("number_", attribute)
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
