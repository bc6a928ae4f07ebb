import AllotConfiguration
import AllotStatistics
import RealModule

extension JSONValue {
    /// A number; null for NaN and infinities, which JSON cannot represent.
    static func double(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }
}

extension PValue {
    /// The number with all its digits, or as people read it where it is below the least double.
    var json: JSONValue {
        if value > .leastNormalMagnitude { return .double(value) }
        return JSONNumber(description).map(JSONValue.number) ?? .null
    }

    /// The decimal logarithm; null for 0.
    var log10: JSONValue { .double(logarithm / .log(10)) }
}
