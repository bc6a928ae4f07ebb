import AllotConfiguration

extension Columns {
    mutating func equality(_ literal: JSONValue, _ attribute: String) throws(Unsupported) -> SQLCondition {
        switch literal {
        case .null: return .test("\(try text(attribute)) IS NULL", canBeUnknown: false)
        case .boolean(let flag):
            return .test("\(syntax.lowercasedASCII(try text(attribute, as: .boolean))) = '\(flag)'")
        case .number(let number): return .test("\(try self.number(attribute)) = \(syntax.literal(number.double))")
        case .string(let text): return .test("\(try self.text(attribute, as: .text)) = \(try syntax.literal(text))")
        case .array, .object: throw try refusal(of: attribute)
        }
    }
}
