import AllotConfiguration
import AllotCore

extension AudienceTranslator {
    func type(
        _ type: Condition.ValueType, _ attribute: String, _ columns: inout Columns
    ) throws(Unsupported) -> SQLCondition {
        switch type {
        case .null: return try equality(.null, attribute, &columns)
        case .string: return try presence(attribute, &columns)
        // Text without a type is also of the type that it reads as.
        case .number: return .test("\(try columns.number(attribute)) IS NOT NULL", canBeUnknown: false)
        case .boolean:
            return .test("\(syntax.lowercasedASCII(try columns.text(attribute))) IN ('true', 'false')")
        case .array, .object: throw try refusal(of: attribute, &columns)
        }
    }
}
