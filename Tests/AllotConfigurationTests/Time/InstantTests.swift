import Foundation
import TestSupport
import Testing

@testable import AllotConfiguration

struct InstantTests {
    @Test(
        "An RFC 3339 instant with an offset is read to the nanosecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-21T12:00:00Z", 1_795_262_400, 0),
            ("2026-11-21T13:00:00+01:00", 1_795_262_400, 0), ("2026-11-21t12:00:00.5z", 1_795_262_400, 500_000_000),
            ("2026-11-21T12:00:00.1234567899-00:00", 1_795_262_400, 123_456_789), ("1969-12-31T23:59:59Z", -1, 0),
            ("2024-02-29T00:00:00Z", 1_709_164_800, 0), ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("0000-01-01T00:00:00Z", -62_167_219_200, 0), ("9999-12-31T12:59:59-11:00", 253_402_300_799, 0),
        ] as [(String, Int64, Int32)])
    func reading(text: String, seconds: Int64, nanoseconds: Int32) {
        #expect(Instant(text) == Instant(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "The spellings of databases and of Allot itself are read like RFC 3339",
        arguments: [
            // PostgreSQL, DuckDB; pandas; RFC 3339 with a space and in lower case; Allot's lists and pages.
            "2026-11-21 12:00:00+00", "2026-11-21 04:00:00-08", "2026-11-21 17:30:00+05:30",
            "2026-11-21 12:00:00.000+00",
            "2026-11-21 12:00:00+00:00", "2026-11-21 12:00:00.000000+00:00", "2026-11-21 12:00:00Z",
            "2026-11-21 12:00:00z", "2026-11-21t12:00z", "2026-11-21T12:00Z", "2026-11-21 12:00Z",
            "2026-11-21T13:00+01:00", "2026-11-21 13:00+01", "2026-11-21t12:00-00:00",
        ])
    func spellings(text: String) {
        #expect(Instant(text) == Instant(seconds: 1_795_262_400))
    }

    @Test("An instant that Allot prints is read as it is", arguments: 0..<100)
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let minute = Instant(seconds: Int64.random(in: -1_036_120_320...4_223_371_679, using: &random) * 60)
        let exact = Instant(
            seconds: minute.seconds + Int64.random(in: 0..<60, using: &random),
            nanoseconds: Int32.random(in: 0..<1000, using: &random) * 1_000_000)
        #expect(Instant(minute.minuteText) == minute)
        #expect(Instant(minute.shortText) == minute)
        #expect(Instant(exact.description) == exact)
        #expect(Instant(exact.shortText) == exact)
        #expect(Instant(exact.text(.milliseconds)) == exact)
    }

    @Test(
        "An error says what is missing, and how to write the instant",
        arguments: [
            ("2026-11-21T12:00:00", "has no offset from UTC; if it is in UTC, write 2026-11-21T12:00:00Z, or else"),
            ("2026-11-21 12:00:00.5", "has no offset from UTC; if it is in UTC, write 2026-11-21T12:00:00.5Z, or"),
            ("2024-03-15 19:37", "has no offset from UTC; if it is in UTC, write 2024-03-15T19:37:00Z, or else"),
            ("2026-11-21", "is a day without a time; for its start in UTC write 2026-11-21T00:00:00Z"),
            ("2026-11-21 12:00:00 UTC", "has its offset in another form; write 2026-11-21T12:00:00Z"),
            ("2026-11-21 12:00:00 +00:00", "has its offset in another form; write 2026-11-21T12:00:00Z"),
            ("2026-11-21 12:00:00 +0100", "has its offset in another form; write 2026-11-21T11:00:00Z"),
            ("2026-11-21T12:00:00+0530", "has its offset in another form; write 2026-11-21T06:30:00Z"),
            ("2026-11-21 12:00 gmt", "has its offset in another form; write 2026-11-21T12:00:00Z"),
            ("2026-02-30T12:00:00", "is not an instant; an instant is RFC 3339"),
            ("", "is not an instant; an instant is RFC 3339"), ("now", "is not an instant; an instant is RFC 3339"),
        ])
    func faults(text: String, expected: String) {
        #expect(Instant(text) == nil)
        #expect(Instant.fault(of: text).hasPrefix(expected), "\(Instant.fault(of: text))")
    }

    @Test(
        "Text that is not RFC 3339, or a date that does not exist, is not an instant",
        arguments: [
            "", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21T12:00", "2026-11-21 12", "2026-11-21T12Z",
            "2026-11-21T12+00", "2026-11-21  12:00:00Z", "2026-11-21_12:00:00Z", "2026-11-21\012:00:00Z",
            "2026-11-21T12:00:Z", "2026-11-21T12:00:0Z", "2026-11-21T12:00.5Z", "2026-11-21T12:00:00+",
            "2026-11-21T12:00:00+0", "2026-11-21T12:00:00+1:00", "2026-11-21T12:00:00+00:", "2026-11-21T12:00:00+00:0",
            "2026-11-21T12:00:00+24", "2026-11-21T12:00:00 Z", "2026-11-21T12:00:00 +00",
            "2026-11-21T12:00:00\u{2212}08",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:61Z",
            "2026-11-21T12:00:00.Z",
            "2026-11-21T12:00:00+0100", "2026-11-21T12:00:00Z ", "26-11-21T12:00:00Z",
            "2026-11-21T12:00:00+24:00", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z",
        ])
    func noInstants(text: String) {
        #expect(Instant(text) == nil)
    }

    @Test(
        "An offset that leads out of the years 0 to 9999 is an error, and attributes compare by it all the same",
        arguments: [
            ("9999-12-31T23:59:59-23:59", 253_402_387_139), ("9999-12-31T23:59:60Z", 253_402_300_800),
            ("0000-01-01T00:00:00+00:01", -62_167_219_260),
        ] as [(String, Int64)])
    func beyondTheYears(text: String, seconds: Int64) {
        #expect(Instant(text) == nil)
        #expect(Instant.fault(of: text).hasPrefix("is not within the years 0 to 9999 in UTC; "))
        #expect(Instant(utf8: Array(text.utf8).span) == Instant(seconds: seconds))
    }

    /// From 1583 on, when Foundation's calendar is the Gregorian one too.
    @Test("An instant is written as Foundation writes it", arguments: 0..<200)
    func writingAgreesWithFoundation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &random)
        let text = Instant(seconds: seconds).description
        #expect(text == Date(timeIntervalSince1970: Double(seconds)).ISO8601Format())
        #expect(Instant(text) == Instant(seconds: seconds))
    }

    @Test("An instant is written with all its decimals, or cut to milliseconds or minutes")
    func fractions() {
        #expect(Instant(seconds: 0, nanoseconds: 120_000_000).description == "1970-01-01T00:00:00.12Z")
        #expect(Instant(seconds: 59).minuteText == "1970-01-01T00:00Z")
    }

    @Test(
        "People see an instant in the offset that it was written with, and everything else takes it in UTC",
        arguments: [
            (
                "2027-03-01T00:00:00+01:00", "2027-03-01T00:00+01:00", "2027-03-01T00:00:00+01:00",
                "2027-02-28T23:00:00Z"
            ),
            ("2026-11-21 17:30+05:30", "2026-11-21T17:30+05:30", "2026-11-21T17:30:00+05:30", "2026-11-21T12:00:00Z"),
            (
                "2026-11-21 04:00:00.5-08", "2026-11-21T04:00:00.5-08:00", "2026-11-21T04:00:00.5-08:00",
                "2026-11-21T12:00:00.5Z"
            ),
            ("2026-11-21T12:00:00z", "2026-11-21T12:00Z", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
            ("2026-11-21T12:00:00-00:00", "2026-11-21T12:00Z", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
            (
                "1969-12-31T23:59:30-00:30", "1969-12-31T23:59:30-00:30", "1969-12-31T23:59:30-00:30",
                "1970-01-01T00:29:30Z"
            ),
            (
                "0000-01-01T00:00:00-14:00", "0000-01-01T00:00-14:00", "0000-01-01T00:00:00-14:00",
                "0000-01-01T14:00:00Z"
            ),
        ])
    func offsets(text: String, short: String, written: String, inUTC: String) throws {
        let instant = try #require(Instant(text))
        #expect(instant.shortText == short)
        #expect(instant.writtenText == written)
        #expect(instant.description == inUTC)
        let other = try #require(Instant(inUTC))
        #expect(instant == other)
        #expect(instant.hashValue == other.hashValue)
        #expect(!(instant < other))
        #expect(!(other < instant))
        // A list that shows an instant is read as it is.
        #expect(Instant(short) == instant)
        #expect(Instant(written) == instant)
    }

    @Test(
        "A time in milliseconds is written with three decimals, before 1970 as well",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1000, "1969-12-31T23:59:59.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (7, "1970-01-01T00:00:00.007Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func milliseconds(_ milliseconds: Int64, _ expected: String) {
        #expect(Instant(milliseconds: milliseconds).text(.milliseconds) == expected)
        #expect(Instant(milliseconds: milliseconds).milliseconds == milliseconds)
    }

    /// Counts days one by one through a whole cycle of leap years.
    @Test("Every day of four hundred years follows the one before it")
    func everyDayOfFourHundredYears() {
        var (year, month, day) = (1970, 1, 1)
        var wrong = 0
        for number in 0..<146_097 {
            let date = CalendarDate(daysSince1970: number)
            if (date.year, date.month, date.day) != (year, month, day) { wrong += 1 }
            if CalendarDate(year: year, month: month, day: day)?.daysSince1970 != number { wrong += 1 }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > days[month - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(wrong == 0)
        #expect((year, month, day) == (2370, 1, 1))
    }
}
