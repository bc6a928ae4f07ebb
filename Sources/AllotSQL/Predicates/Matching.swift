import AllotCore

extension Columns {
    mutating func match(_ expressions: [RegularExpression], _ attribute: String) throws(Unsupported) -> SQLCondition {
        let text = try self.text(attribute, as: .text)
        // A CASE, so that no engine searches a long text before it looks at the length.
        let bound = "\(syntax.byteCount(text)) <= \(RegularExpression.maximumTextLength)"
        let matches = try expressions.map { expression throws(Unsupported) in try syntax.matches(text, expression) }
        let any = matches.joined(separator: " OR ")
        return .test("CASE WHEN \(bound) THEN \(any) ELSE FALSE END", canBeUnknown: false)
    }
}
