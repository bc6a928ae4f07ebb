import AllotConfiguration
import AllotStatistics
import RealModule

extension JSONValue {
    static func int(_ value: Int?) -> JSONValue {
        value.map { .number(JSONNumber($0)) } ?? .null
    }

    /// A number; null for NaN and infinities, which JSON cannot represent.
    static func double(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }

    /// Text; null for `nil`.
    static func text(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map(JSONValue.string))
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
