import AllotConfiguration
import AllotCore

/// The instant in a condition: milliseconds since 1970.
struct StatsigTime {
    let milliseconds: Int64

    init?(_ target: PayloadNode) throws(ImportProblem) {
        switch target.value {
        case .number: milliseconds = Int64(try target.integer())
        case .string(let text):
            if let number = Int64(text) {
                milliseconds = number
            } else if let instant = Self.instant(text), instant.nanoseconds % 1_000_000 == 0 {
                milliseconds = instant.milliseconds
            } else {
                return nil
            }
        default: return nil
        }
        // Smaller numbers of users would be read as seconds.
        guard milliseconds >= 10_000_000_000, Instant.writable.contains(Instant(milliseconds: milliseconds)) else {
            throw target.problem("\(target.value.canonicalText) is not a time in milliseconds since 1970")
        }
    }

    /// The instant of a text of RFC 3339, perhaps with a space in place of the "T", or of `2026-11-22 00:00:00` in UTC.
    private static func instant(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return Instant(strict: text) }
        let joined = parts.joined(separator: "T")
        return Instant(strict: joined) ?? (parts[1].contains(".") ? nil : Instant(strict: joined + "Z"))
    }

    var instant: Instant { Instant(milliseconds: milliseconds) }
    /// The first instant after it, since Statsig's clock counts milliseconds.
    var next: Instant { Instant(milliseconds: milliseconds + 1) }

    var day: (start: Instant, end: Instant) {
        let start = milliseconds - milliseconds % Self.dayLength
        return (Instant(milliseconds: start), Instant(milliseconds: start + Self.dayLength))
    }

    private static let dayLength: Int64 = 86_400_000

    /// The condition that a user's value is before a time, or after it: text such as `2026-11-22T00:00:00Z`, or a whole
    /// number of seconds below 10^10 and of milliseconds from there on.
    static func test(_ attribute: String, isBefore: Bool, _ milliseconds: Int64) -> JSONValue {
        let limit = JSONValue.number(JSONNumber(milliseconds))
        let seconds = JSONValue.number(JSONNumber((milliseconds + (isBefore ? 999 : 0)) / 1000))
        let name = isBefore ? "$lt" : "$gt"
        let text = JSONValue.string("\(Instant(milliseconds: milliseconds))")
        return .any([
            .test(attribute, isBefore ? ["$lt": seconds] : ["$gt": seconds, "$lt": firstMillisecond]),
            .test(attribute, ["$gte": firstMillisecond, name: limit]),
            .test(attribute, [(isBefore ? "$before" : "$after"): text, "$regex": textForm]),
        ])
    }

    private static let firstMillisecond: JSONValue = 10_000_000_000
    private static let textForm: JSONValue = "^[0-9-]{10}[Tt][0-9:]{8}[Zz]$"
}
