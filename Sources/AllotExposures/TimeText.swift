/// Times as RFC 3339 writes them.
enum TimeText {
    /// A time in UTC with three digits of a second.
    ///
    /// The date is Howard Hinnant's `civil_from_days`, http://howardhinnant.github.io/date_algorithms.html
    static func text(milliseconds: Int64) -> String {
        let (days, rest) = floored(milliseconds, by: 86_400_000)
        let shifted = days + 719_468
        let era = floored(shifted, by: 146_097).quotient
        let dayOfEra = shifted - era * 146_097
        let leapDays: Int64 = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let daysBefore: Int64 = 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100
        let dayOfYear = dayOfEra - daysBefore
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let date = "\(padded(year, 4))-\(padded(calendarMonth, 2))-\(padded(day, 2))"
        let hours = padded(rest / 3_600_000, 2)
        let minutes = padded(rest / 60_000 % 60, 2)
        let seconds = padded(rest / 1000 % 60, 2)
        return "\(date)T\(hours):\(minutes):\(seconds).\(padded(rest % 1000, 3))Z"
    }

    private static func floored(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
