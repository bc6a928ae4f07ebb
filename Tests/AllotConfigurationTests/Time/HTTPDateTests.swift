import AllotConfiguration
import Testing

struct HTTPDateTests {
    @Test(
        "A date that is written is read as the same second",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Sun, 22 Nov 2026 11:02:01 GMT", 1_795_345_321), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func roundTrip(text: String, seconds: Int64) {
        #expect(HTTPDate.text(Instant(seconds: seconds, nanoseconds: 999_999_999)) == text)
        #expect(HTTPDate.instant(text) == Instant(seconds: seconds))
    }

    @Test("Every month is read as it is written", arguments: 1...12)
    func months(month: Int) throws {
        let date = try #require(CalendarDate(year: 2026, month: month, day: 9))
        let instant = Instant(seconds: Int64(date.daysSince1970) * 86_400)
        #expect(HTTPDate.instant(HTTPDate.text(instant)) == instant)
    }

    @Test("A clock before 1970 is taken for the first second of it")
    func before1970() {
        #expect(HTTPDate.text(Instant(seconds: -5)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test(
        "The other forms that a sender may use are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate.instant(text) == Instant(seconds: 784_111_777))
    }

    @Test(
        "Other texts are not dates",
        arguments: ["", "0", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 2026 08:49:37 GMT"])
    func others(text: String) {
        #expect(HTTPDate.instant(text) == nil)
    }
}
