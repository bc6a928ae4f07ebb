import Testing

@testable import AllotServer

@Suite struct LogTimeTests {
    private func text(_ seconds: Int64, _ milliseconds: Int = 0) -> String {
        var bytes: [UInt8] = []
        LogTime(seconds: seconds, milliseconds: milliseconds).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "Known times",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"), (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"), (1_795_262_400, "2026-11-21T12:00:00.000Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (253_402_300_799, "9999-12-31T23:59:59.000Z"),
            (.max, "9999-12-31T23:59:59.000Z"), (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func knownTimes(_ seconds: Int64, _ expected: String) {
        #expect(text(seconds) == expected)
    }

    @Test("Milliseconds have three digits")
    func millisecondsHaveThreeDigits() {
        #expect(text(0, 7).hasSuffix(":00.007Z"))
        #expect(text(0, 1_000_000).hasSuffix(":00.999Z"))
        #expect(text(0, -1).hasSuffix(":00.000Z"))
    }

    /// Counts days one by one through a whole cycle of leap years.
    @Test("Every day of four hundred years")
    func everyDayOfFourHundredYears() {
        var (year, month, day) = (1970, 1, 1)
        func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        var wrong = 0
        for number in 0..<146_097 as Range<Int64> {
            if !text(number * 86_400).hasPrefix("\(year)-\(pad(month))-\(pad(day))T") { wrong += 1 }
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
