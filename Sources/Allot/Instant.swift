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
        func digits(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for index in range {
                let digit = bytes[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        func holds(_ byte: UInt8, at index: Int) -> Bool { index < bytes.count && bytes[index] == byte }
        guard let year = digits(0..<4), holds(UInt8(ascii: "-"), at: 4), let month = digits(5..<7),
            holds(UInt8(ascii: "-"), at: 7), let day = digits(8..<10),
            holds(UInt8(ascii: "T"), at: 10) || holds(UInt8(ascii: "t"), at: 10),
            let hour = digits(11..<13), holds(UInt8(ascii: ":"), at: 13), let minute = digits(14..<16),
            holds(UInt8(ascii: ":"), at: 16), let second = digits(17..<19),
            (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }

        var index = 19
        var nanoseconds: Int32 = 0
        if holds(UInt8(ascii: "."), at: index) {
            index += 1
            let start = index
            var unit: Int32 = 100_000_000
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
                nanoseconds += Int32(bytes[index] - UInt8(ascii: "0")) * unit
                unit /= 10
                index += 1
            }
            guard index > start else { return nil }
        }

        var offset = 0
        if holds(UInt8(ascii: "Z"), at: index) || holds(UInt8(ascii: "z"), at: index) {
            index += 1
        } else {
            guard holds(UInt8(ascii: "+"), at: index) || holds(UInt8(ascii: "-"), at: index),
                let hours = digits(index + 1..<index + 3), holds(UInt8(ascii: ":"), at: index + 3),
                let minutes = digits(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * 60 * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
            index += 6
        }
        guard index == bytes.count else { return nil }
        let ofDay = (hour * 60 + minute) * 60 + second - offset
        self.init(seconds: Int64(Self.daysSince1970(year, month, day) * 86_400 + ofDay), nanoseconds: nanoseconds)
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
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The calendar date and time of day in UTC; the inverse of the algorithm above.
    private var civil: (year: Int, month: Int, day: Int, secondOfDay: Int) {
        let day = Int(seconds.flooredQuotient(by: 86_400))
        let secondOfDay = Int(seconds) - day * 86_400
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1, secondOfDay)
    }

    /// The instant in UTC to the minute, `2026-11-21T01:08Z`: how `creation_time` is written.
    public var minuteText: String {
        let (year, month, day, secondOfDay) = civil
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
            + "T\(Self.padded(secondOfDay / 3600, 2)):\(Self.padded(secondOfDay / 60 % 60, 2))Z"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Instant: CustomStringConvertible {
    /// The instant in UTC as RFC 3339 with as many decimals as it has.
    public var description: String {
        let fraction: String
        if nanoseconds == 0 {
            fraction = ""
        } else {
            var digits = Self.padded(Int(nanoseconds), 9)
            while digits.hasSuffix("0") { digits.removeLast() }
            fraction = "." + digits
        }
        return minuteText.dropLast() + ":\(Self.padded(civil.secondOfDay % 60, 2))\(fraction)Z"
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
