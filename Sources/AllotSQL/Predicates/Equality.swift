import AllotConfiguration
import AllotCore

extension AudienceTranslator {
    func equality(
        _ literal: JSONValue, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        switch literal {
        case .null: return .test("\(try columns.text(attribute)) IS NULL", canBeUnknown: false)
        case .boolean(let flag):
            return .test("\(syntax.lowercasedASCII(try columns.text(attribute, as: .boolean))) = '\(flag)'")
        case .number(let number):
            return .test("\(try columns.number(attribute)) = \(syntax.literal(number.double))")
        case .string(let text):
            return .test("\(try columns.text(attribute, as: .text)) = \(try syntax.literal(text))")
        case .array, .object: throw try refusal(of: attribute, &columns)
        }
    }
}
