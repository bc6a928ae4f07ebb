import AllotConfiguration

import struct Foundation.Date

/// Instants in the form of RFC 3339, which all systems write: `2011-08-21T18:02:52.249Z`.
///
/// Foundation's parsers take the 30 February and text behind the instant, and its formatter cuts off what it cannot
/// show.
enum ISO8601Date {
    /// From 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z, in milliseconds since 1970.
    static let range: ClosedRange<Double> = -62_167_219_200_000...253_402_300_799_999

    /// Reads an instant with an offset, with or without a fraction of seconds; `nil` for anything else.
    static func date(_ text: String) -> Date? {
        RFC3339(utf8: Array(text.utf8).span).map {
            Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9)
        }
    }

    /// An instant in UTC, rounded to the millisecond; `nil` outside of the years 0 to 9999.
    static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        return range.contains(rounded) ? text(milliseconds: Int(rounded)) : nil
    }

    /// An instant in milliseconds since 1970, within ``range``.
    static func text(milliseconds: Int) -> String {
        var (day, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        if ofDay < 0 { (day, ofDay) = (day - 1, ofDay + 86_400_000) }
        let time = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60].map { CalendarDate.padded($0, 2) }
        return CalendarDate(daysSince1970: day).text
            + "T\(time.joined(separator: ":")).\(CalendarDate.padded(ofDay % 1000, 3))Z"
    }
}
