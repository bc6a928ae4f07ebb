import AllotConfiguration
import Synchronization

/// The header `Date` (RFC 9110, section 5.6.7), written once a second. `Sendable`.
final class DateHeader: Sendable {
    private let last = Mutex((seconds: Int64.min, text: ""))

    /// `Sun, 22 Nov 2026 11:02:01 GMT`
    func text(at now: Instant) -> String {
        last.withLock { last in
            if last.seconds != now.seconds { last = (now.seconds, Self.text(now.seconds)) }
            return last.text
        }
    }

    private static func text(_ seconds: Int64) -> String {
        // No clock is set to a time before 1970.
        let (days, ofDay) = Int(max(seconds, 0)).quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[days % 7]
        let time = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
        return "\(weekday), \(date.day.zeroPadded(to: 2)) \(months[date.month - 1]) "
            + "\(date.year.zeroPadded(to: 4)) \(time) GMT"
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
