/// Dates of HTTP (RFC 9110, section 5.6.7), all of them in GMT.
package enum HTTPDate {
    /// The second of an instant from 1970 on: `Sun, 22 Nov 2026 11:02:01 GMT`. Earlier ones are the first of 1970.
    package static func text(_ instant: Instant) -> String {
        let (days, ofDay) = Int(max(instant.seconds, 0)).quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: days)
        let time = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
        return "\(weekdays[days % 7]), \(date.day.zeroPadded(to: 2)) \(months[date.month - 1]) "
            + "\(date.year.zeroPadded(to: 4)) \(time) GMT"
    }

    /// Reads a date in one of the three forms, whatever day of the week it says: `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. Returns `nil` for another text.
    package static func instant(_ text: String) -> Instant? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        var (day, month, year, time): (String, String, String, String)
        switch (words.count, words.last) {
        case (6, "GMT"): (day, month, year, time) = (words[1], words[2], words[3], words[4])
        case (5, _): (day, month, year, time) = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        guard let index = months.firstIndex(of: month), time.utf8.count == 8 else { return nil }
        // Two digits stand for 1970 to 2069.
        if year.utf8.count == 2 { year = (year < "70" ? "20" : "19") + year }
        let date = "\(year)-\((index + 1).zeroPadded(to: 2))-\(day.leftPadded(to: 2, with: "0"))"
        return Instant("\(date)T\(time)Z")
    }

    // 1970-01-01 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
