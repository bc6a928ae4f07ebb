import AllotConfiguration

import struct Foundation.Date

/// Times as the server reads them: RFC 3339 in UTC with milliseconds.
enum ExposureTime {
    /// Writes a time; what is before 1970 or after 9999 is held at these, so that all texts are as long and sort by time.
    static func text(_ date: Date) -> String {
        // Rounded to nanoseconds of a second first: 0.123 is kept as 0.12299999… since 1970.
        let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)
        // No number is greater than NaN either.
        return Instant(milliseconds: milliseconds > 0 ? Int64(min(milliseconds, ISO8601Date.range.upperBound)) : 0)
            .text(.milliseconds)
    }

    /// Reads what ``text(_:)`` writes.
    static func date(_ text: String) -> Date? {
        ISO8601Date.date(text)
    }
}
