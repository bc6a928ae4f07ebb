import Glibc

/// A moment in UTC, to the millisecond.
struct LogTime: Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    let seconds: Int64
    /// Milliseconds within the second, 0 ..< 1,000.
    let milliseconds: Int

    /// The time of the system's clock.
    static var now: LogTime {
        var time = timespec()
        // Fails only for an unknown clock or a bad address; the start of 1970 would then show that something is wrong.
        _ = clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: Int64(time.tv_sec), milliseconds: Int(time.tv_nsec) / 1_000_000)
    }

    /// The first and last second whose years have four digits, as RFC 3339 wants them: years 0 to 9999.
    private static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Appends the time in RFC 3339: `2026-11-21T12:00:00.123Z`. Times outside years 0 to 9999 become the nearest
    /// within.
    func append(to bytes: inout [UInt8]) {
        let seconds = min(max(seconds, Self.writable.lowerBound), Self.writable.upperBound)
        var (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        if second < 0 {
            day -= 1
            second += 86_400
        }
        let date = Self.date(day: Int(day))
        func append(_ value: Int, digits: Int, then mark: Unicode.Scalar) {
            var unit = 1
            for _ in 1..<digits { unit *= 10 }
            while unit > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
                unit /= 10
            }
            bytes.append(UInt8(ascii: mark))
        }
        append(date.year, digits: 4, then: "-")
        append(date.month, digits: 2, then: "-")
        append(date.day, digits: 2, then: "T")
        append(Int(second) / 3_600, digits: 2, then: ":")
        append(Int(second) / 60 % 60, digits: 2, then: ":")
        append(Int(second) % 60, digits: 2, then: ".")
        append(min(max(milliseconds, 0), 999), digits: 3, then: "Z")
    }

    /// The Gregorian date of a day counted from 1970-01-01, for years from 0 (Hinnant, "chrono-Compatible Low-Level
    /// Date Algorithms", `civil_from_days`). Years there start in March, so that the leap day comes last.
    private static func date(day: Int) -> (year: Int, month: Int, day: Int) {
        // Eras of 400 years; one is added, for the months before March of year 0.
        let shifted = day + 719_468 + 146_097
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }
}
