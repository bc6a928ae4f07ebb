import AllotConfiguration

/// A moment in time, to the nanosecond. The engine has no clock: instants are arguments.
public struct Instant: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let seconds: Int64
    /// Nanoseconds within the second, 0 ..< 1,000,000,000.
    public let nanoseconds: Int32

    /// Creates an instant from seconds since 1970 and nanoseconds within the second.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// What an instant looks like, for messages.
    package static let form =
        "an instant is RFC 3339 with an offset, such as 2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00"

    /// Reads an RFC 3339 instant with an offset; `nil` for anything else. Digits beyond nanoseconds are cut off.
    public init?(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
    }

    /// Reads an RFC 3339 instant from UTF-8 bytes, without allocation.
    package init?(utf8 bytes: Span<UInt8>) {
        guard let instant = RFC3339(utf8: bytes) else { return nil }
        self.init(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
    }

    /// The days since 1970, and the seconds of the day, in UTC.
    private var day: (number: Int, second: Int) {
        let number = Int(seconds.flooredQuotient(by: 86_400))
        return (number, Int(seconds) - number * 86_400)
    }

    /// The instant in UTC to the minute, `2026-11-21T01:08Z`: how `creation_time` is written.
    public var minuteText: String {
        let (day, second) = day
        return CalendarDate(daysSince1970: day).text
            + "T\(CalendarDate.padded(second / 3600, 2)):\(CalendarDate.padded(second / 60 % 60, 2))Z"
    }
}

extension Instant: CustomStringConvertible {
    /// The instant in UTC as RFC 3339 with as many decimals as it has.
    public var description: String {
        let fraction: String
        if nanoseconds == 0 {
            fraction = ""
        } else {
            var digits = CalendarDate.padded(Int(nanoseconds), 9)
            while digits.hasSuffix("0") { digits.removeLast() }
            fraction = "." + digits
        }
        return minuteText.dropLast() + ":\(CalendarDate.padded(day.second % 60, 2))\(fraction)Z"
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
