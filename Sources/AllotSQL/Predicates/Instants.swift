import AllotConfiguration
import AllotCore

extension Columns {
    mutating func instant(
        _ ordering: Condition.Ordering, _ literal: Instant, _ attribute: String
    ) throws(Unsupported) -> SQLCondition {
        let (seconds, nanoseconds) = try self.instant(attribute)
        let strict = ordering == .less || ordering == .lessOrEqual ? "<" : ">"
        return .either([
            .test("\(seconds) \(strict) \(literal.seconds)"),
            .joined([
                .test("\(seconds) = \(literal.seconds)"),
                .test("\(nanoseconds) \(ordering.symbol) \(literal.nanoseconds)"),
            ]),
        ])
    }

    /// The columns of an attribute's seconds since 1970, and nanoseconds; both are NULL if its text is not an instant.
    private mutating func instant(_ attribute: String) throws(Unsupported) -> (seconds: String, nanoseconds: String) {
        let text = try self.text(attribute, as: .instant)
        let instant = name("instant_", attribute)
        let (year, month) = (name("year_", attribute), name("month_", attribute))
        let (seconds, nanoseconds) = (name("seconds_", attribute), name("nanoseconds_", attribute))
        let parts = InstantParts(syntax: syntax, text: instant, year: year, month: month)
        stages.readings.add(instant, "CASE WHEN \(syntax.matchesWholly(text, PlainPattern.instant)) THEN \(text) END")
        stages.digests.add(year, parts.shiftedYear)
        stages.digests.add(month, parts.shiftedMonth)
        stages.buckets.add(seconds, parts.seconds)
        stages.buckets.add(nanoseconds, parts.nanoseconds)
        return (seconds, nanoseconds)
    }
}

/// Seconds since 1970 from the text of an instant, by arithmetic: the engines' own functions reject or accept other
/// text. The algorithm is `days_from_civil` of Howard Hinnant, 400 years later, so that no dividend is negative.
private struct InstantParts {
    let syntax: any SQLSyntax
    let text: String
    let year: String
    let month: String

    private func digits(_ position: Int, _ count: Int = 2) -> String {
        syntax.integer(syntax.part(text, from: "\(position)", count: count))
    }

    private var isBeforeMarch: String { "\(syntax.part(text, from: "6", count: 2)) IN ('01', '02')" }
    /// The year, counted from March, plus 400.
    var shiftedYear: String { "\(digits(1, 4)) + CASE WHEN \(isBeforeMarch) THEN 399 ELSE 400 END" }
    /// The month, counted from March as 0.
    var shiftedMonth: String { "\(digits(6)) + CASE WHEN \(isBeforeMarch) THEN 9 ELSE -3 END" }

    var seconds: String {
        func whole(_ divisor: Int) -> String { syntax.quotient(year, divisor) }
        let years = "365 * \(year) + \(whole(4)) - \(whole(100)) + \(whole(400))"
        let months = syntax.quotient("(153 * \(month) + 2)", 5)
        return "(\(years) + \(months) + \(digits(9)) - 865566) * 86400"
            + " + \(digits(12)) * 3600 + \(digits(15)) * 60 + \(second) - \(offset)"
    }

    private var second: String {
        "CASE WHEN \(syntax.part(text, from: "17", count: 1)) = ':' THEN \(digits(18)) ELSE 0 END"
    }

    /// Nanoseconds within the second. Further digits are cut off.
    var nanoseconds: String {
        let fraction = syntax.concatenated([syntax.group(text, PlainPattern.fraction), "'000000000'"])
        return "CASE WHEN \(text) IS NOT NULL THEN \(syntax.integer(syntax.part(fraction, from: "1", count: 9))) END"
    }

    /// The offset from UTC in seconds, from the last three or six characters unless the last one is "Z".
    private var offset: String {
        let length = syntax.characterCount(text)
        func part(_ back: Int, _ count: Int) -> String {
            syntax.part(text, from: back == 0 ? length : "\(length) - \(back)", count: count)
        }
        let long = "(\(syntax.integer(part(4, 2))) * 60 + \(syntax.integer(part(1, 2)))) * 60"
        let short = "\(syntax.integer(part(1, 2))) * 3600"
        return "CASE WHEN \(part(0, 1)) IN ('Z', 'z') THEN 0 WHEN \(part(5, 1)) = '+' THEN \(long) "
            + "WHEN \(part(5, 1)) = '-' THEN -\(long) WHEN \(part(2, 1)) = '+' THEN \(short) ELSE -\(short) END"
    }
}
