import AllotConfiguration
import AllotStatistics
import RealModule

extension JSONValue {
    /// A number; null for NaN and infinities, which JSON cannot represent.
    static func double(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }

    /// The decimal logarithm of a p-value; null for 0.
    static func log10(_ value: PValue?) -> JSONValue {
        .double(value.map { $0.logarithm / .log(10) })
    }

    /// A p-value with all its digits, or as people read it where it is below the least double.
    static func pValue(_ value: PValue?) -> JSONValue {
        guard let value else { return .null }
        if value.value > .leastNormalMagnitude { return .double(value.value) }
        return JSONNumber(value.description).map(JSONValue.number) ?? .null
    }
}
