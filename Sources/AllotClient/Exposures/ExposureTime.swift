import Foundation

/// Times as the server reads them: RFC 3339 in UTC with milliseconds.
enum ExposureTime {
    /// The last time of the year 9999, in milliseconds since 1970.
    private static let latest: Int64 = 253_402_300_799_999

    /// Writes a time; what is before 1970 or after 9999 is held at these, so that all texts are as long and sort by time.
    static func text(_ date: Date) -> String {
        let milliseconds = milliseconds(date)
        let (days, ofDay) = (milliseconds / 86_400_000, Int(milliseconds % 86_400_000))
        // From days to a date of the Gregorian calendar, in years that begin in March (Hinnant 2013).
        let shifted = Int(days) + 719_468
        let era = shifted / 146_097
        let ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * fromMarch + 2) / 5 + 1
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let time = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60].map { digits($0, 2) }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(time.joined(separator: ":"))"
            + ".\(digits(ofDay % 1000, 3))Z"
    }

    /// Reads what ``text(_:)`` writes; `nil` for anything else.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            range.upperBound <= bytes.count ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard bytes.count == 24, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let fraction = number(20..<23)
        else { return nil }
        let days = days(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        return Date(timeIntervalSince1970: Double(seconds) + Double(fraction) / 1000)
    }

    /// Whole days from 1970 to a date of the Gregorian calendar (Hinnant 2013).
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        // Rounded to nanoseconds of a second first: 0.123 is kept as 0.12299999… since 1970.
        let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)
        guard milliseconds > 0 else { return 0 }
        return milliseconds < Double(latest) ? Int64(milliseconds) : latest
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
