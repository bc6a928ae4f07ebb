/// A moment in time, to the nanosecond. `Sendable`.
///
/// Nothing in Allot's core reads a clock: instants are arguments. An instant that was read from text remembers the
/// offset that it was written with, so that people see the day that they meant; nothing else depends on it, and two
/// instants with different offsets are equal.
///
/// ```swift
/// let launch = Instant("2026-12-01T10:00:00+01:00")
/// print(launch?.description ?? "not an instant")  // 2026-12-01T09:00:00Z
/// ```
public struct Instant: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let seconds: Int64
    /// Nanoseconds within the second, 0 ..< 1,000,000,000.
    public let nanoseconds: Int32
    /// The offset from UTC that it was written with, in minutes.
    @usableFromInline let offset: Int16

    /// Creates an instant from seconds since 1970 and nanoseconds within the second.
    @inlinable public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.init(seconds: seconds, nanoseconds: nanoseconds, offset: 0)
    }

    @inlinable init(seconds: Int64, nanoseconds: Int32, offset: Int16) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.offset = offset
    }

    package init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.flooredQuotientAndRemainder(dividingBy: 1000)
        self.init(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000)
    }

    package func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds, offset: offset)
    }

    /// Whole milliseconds since 1970, for an instant within ``writable``.
    package var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    /// Whether two instants are the same moment.
    @inlinable public static func == (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) == (right.seconds, right.nanoseconds)
    }

    /// Hashes the moment.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
        hasher.combine(nanoseconds)
    }

    /// Orders instants by time.
    @inlinable public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Instant: CustomStringConvertible {
    /// The instants that RFC 3339 can write: those of the years 0 to 9999.
    package static let writable =
        Instant(seconds: -62_167_219_200)...Instant(seconds: 253_402_300_799, nanoseconds: 999_999_999)

    package enum Precision: Sendable {
        /// `2026-11-21T01:08Z`
        case minutes
        /// `2026-11-21T01:08:30.250Z`
        case milliseconds
        /// `2026-11-21T01:08:30.25Z`: all decimals that the instant has.
        case exact
    }

    /// The instant in UTC as RFC 3339, with all decimals that it has.
    public var description: String { text(.exact) }
    /// The instant in UTC to the minute, `2026-11-21T01:08Z`, as reports for people show it.
    package var minuteText: String { text(.minutes) }

    /// The instant as RFC 3339 in the offset that it was written with, with all decimals that it has: what messages
    /// about definitions show. `2027-03-01T00:00:00+01:00`
    package var writtenText: String { textInOffset(.exact) }

    /// The instant in the offset that it was written with, to the minute if that is exact: what schedules for people
    /// show. `2027-03-01T00:00+01:00`
    package var shortText: String { textInOffset(seconds % 60 == 0 && nanoseconds == 0 ? .minutes : .exact) }

    private func textInOffset(_ precision: Precision) -> String {
        let local = Instant(seconds: seconds + Int64(offset) * 60, nanoseconds: nanoseconds)
        // Beyond the years 0 to 9999 there is no local time that could be written.
        guard offset != 0, Self.writable.contains(local) else { return text(precision) }
        let (hours, minutes) = offset.magnitude.quotientAndRemainder(dividingBy: 60)
        let sign = offset < 0 ? "-" : "+"
        return "\(local.text(precision).dropLast())\(sign)\(hours.zeroPadded(to: 2)):\(minutes.zeroPadded(to: 2))"
    }

    /// The instant in UTC as RFC 3339. Finer parts than `precision` are cut off.
    package func text(_ precision: Precision) -> String {
        let (day, second) = seconds.flooredQuotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: Int(day)).text
        let minutes = "\(date)T\((second / 3600).zeroPadded(to: 2)):\((second / 60 % 60).zeroPadded(to: 2))"
        let seconds = (second % 60).zeroPadded(to: 2)
        switch precision {
        case .minutes: return "\(minutes)Z"
        case .milliseconds: return "\(minutes):\(seconds).\((nanoseconds / 1_000_000).zeroPadded(to: 3))Z"
        case .exact where nanoseconds == 0: return "\(minutes):\(seconds)Z"
        case .exact:
            var decimals = nanoseconds.zeroPadded(to: 9)
            while decimals.hasSuffix("0") { decimals.removeLast() }
            return "\(minutes):\(seconds).\(decimals)Z"
        }
    }
}

extension Int64 {
    package func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
