import struct Foundation.Date

/// Instants in the form of RFC 3339, which all systems write: `2011-08-21T18:02:52.249Z`.
///
/// Foundation's parsers take the 30 February and text behind the instant, and its formatter cuts off what it cannot
/// show.
enum ISO8601Date {
    /// Reads an instant with an offset, with or without a fraction of seconds; `nil` for anything else.
    static func date(_ text: String) -> Date? {
        var rest = text.utf8[...]
        func digits(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let digit = rest.popFirst().map({ $0 &- UInt8(ascii: "0") }), digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        func skip(_ bytes: StaticString) -> Bool {
            guard let byte = rest.first, bytes.withUTF8Buffer({ $0.contains(byte) }) else { return false }
            rest.removeFirst()
            return true
        }
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2), skip("Tt"),
            let hour = digits(2), skip(":"), let minute = digits(2), skip(":"), let second = digits(2),
            (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }

        var fraction = 0.0
        if skip(".") {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, let value = Double("0.\(Substring(digits))") else { return nil }
            fraction = value
            rest = rest[digits.endIndex...]
        }

        var offset = 0
        if !skip("Zz") {
            let isWest = rest.first == UInt8(ascii: "-")
            guard skip("+-"), let hours = digits(2), skip(":"), let minutes = digits(2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * 60 * (isWest ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let ofDay = (hour * 60 + minute) * 60 + second - offset
        return Date(timeIntervalSince1970: Double(daysSince1970(year, month, day) * 86_400 + ofDay) + fraction)
    }

    /// An instant in UTC, rounded to the millisecond; `nil` outside of the years 0 to 9999.
    static func text(_ date: Date) -> String? {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        // From 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
        guard rounded >= -62_167_219_200_000, rounded < 253_402_300_800_000 else { return nil }
        let (days, ofDay) = flooredDivision(Int(rounded), by: 86_400_000)
        let (year, month, day) = civil(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(ofDay / 3_600_000, 2))"
            + ":\(padded(ofDay / 60_000 % 60, 2)):\(padded(ofDay / 1000 % 60, 2)).\(padded(ofDay % 1000, 3))Z"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func flooredDivision(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from civil, after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = flooredDivision(shifted, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of the algorithm above.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = flooredDivision(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}
