import AllotConfiguration
import AllotCore

extension Columns {
    mutating func type(_ type: Condition.ValueType, _ attribute: String) throws(Unsupported) -> SQLCondition {
        switch type {
        case .null: return try equality(.null, attribute)
        case .string: return try presence(attribute)
        // Text without a type is also of the type that it reads as.
        case .number: return .test("\(try number(attribute)) IS NOT NULL", canBeUnknown: false)
        case .boolean: return .test("\(syntax.lowercasedASCII(try text(attribute))) IN ('true', 'false')")
        case .array, .object: throw try refusal(of: attribute)
        }
    }
}
