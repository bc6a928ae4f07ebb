import AllotConfiguration

import struct Foundation.Date

/// Instants in the form of RFC 3339, which all systems write: `2011-08-21T18:02:52.249Z`.
///
/// Foundation's parsers take the 30 February and text behind the instant, and its formatter cuts off what it cannot
/// show.
enum ISO8601Date {
    /// The instants that can be written, in milliseconds since 1970.
    static let range =
        Double(Instant.writable.lowerBound.milliseconds)...Double(Instant.writable.upperBound.milliseconds)

    /// Reads an instant with an offset, with or without a fraction of seconds. Returns `nil` for any other text.
    static func date(_ text: String) -> Date? {
        Instant(text).map { Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9) }
    }

    /// An instant in UTC, rounded to the millisecond. Returns `nil` outside of the years 0 to 9999.
    static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        return range.contains(rounded) ? Instant(milliseconds: Int64(rounded)).text(.milliseconds) : nil
    }
}
