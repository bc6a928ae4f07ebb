import AllotConfiguration
import AllotCore

/// Translates audiences into SQL conditions with the same result for each row of text as Allot's own evaluation.
struct AudienceTranslator {
    private(set) var problems: [String] = []

    mutating func condition(_ condition: Condition, _ columns: inout Columns) -> SQLCondition {
        switch condition {
        case .all(let parts): return .joined(parts.map { self.condition($0, &columns) })
        // An empty list holds, as in GrowthBook.
        case .any(let parts): return parts.isEmpty ? .always : .either(parts.map { self.condition($0, &columns) })
        case .not(let part): return self.condition(part, &columns).negated
        case .segment(_, let part): return self.condition(part, &columns)
        case .test(let test):
            do {
                return try self.test(test, &columns)
            } catch {
                let attribute = test.attribute.map { "\(QuotedText($0)) " } ?? ""
                problems.append("\(test.operatorName) (\(attribute)\(test.words)): \(error.reason)")
                return .never
            }
        }
    }

    private func test(_ test: Condition.Test, _ columns: inout Columns) throws(Unsupported) -> SQLCondition {
        guard let attribute = test.attribute else { throw Unsupported("a column of text does not have elements") }
        guard !columns.needsObject(attribute) else {
            throw Unsupported("columns of a table are not objects with members; map \(attribute) to a column")
        }
        let condition = try columns.condition(test.predicate, attribute)
        return test.isNegated ? condition.negated : condition
    }
}

extension Columns {
    fileprivate mutating func condition(
        _ predicate: Condition.Predicate, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        switch predicate {
        case .equals(let literal): return try equality(literal, attribute)
        case .isIn(let list, let ignoringCase):
            return try membership(list.literals, ignoringCase: ignoringCase, attribute)
        case .hasAll, .hasElement, .size: throw try refusal(of: attribute)
        case .exists: return try isNull(attribute, false)
        case .type(let type): return try self.type(type, attribute)
        case .orderedNumber(let ordering, let number):
            return .test("\(try self.number(attribute)) \(ordering.symbol) \(syntax.literal(number))")
        case .orderedText(let ordering, let text):
            return .test("\(try self.text(attribute, as: .text)) \(ordering.symbol) \(try syntax.literal(text))")
        case .version(let ordering, let literal): return try version(ordering, literal, attribute)
        case .instant(let ordering, let literal): return try self.instant(ordering, literal, attribute)
        case .hasPart(let part, let literals, let ignoringCase):
            return try self.part(part, literals, ignoringCase: ignoringCase, attribute)
        case .matches(let expressions): return try match(expressions, attribute)
        case .inNetwork(let networks): return try network(networks, attribute)
        }
    }
}
