import AllotConfiguration
import AllotStatistics
import RealModule

extension JSONValue {
    static func int(_ value: Int) -> JSONValue {
        .number(JSONNumber(value))
    }

    /// A number; null for those that JSON has not.
    static func double(_ value: Double) -> JSONValue {
        JSONNumber(value).map(JSONValue.number) ?? .null
    }

    /// The decimal logarithm of a p-value; null for 0.
    static func log10(_ value: PValue) -> JSONValue {
        .double(value.logarithm / .log(10))
    }

    /// A p-value with all its digits, or as people read it where it is below the least double.
    static func pValue(_ value: PValue) -> JSONValue {
        if value.value > .leastNormalMagnitude { return .double(value.value) }
        return JSONNumber(value.description).map(JSONValue.number) ?? .null
    }
}
