import AllotConfiguration
import AllotCore

/// The time of a row in 8 bytes, so that units are taken in the order of time whatever the order of the rows is.
///
/// Times are instants with an offset; dates and times without one, which are compared as if all had the same; or whole
/// numbers, such as seconds since some moment. A file has one kind: the times of others than the most frequent kind are
/// taken as missing.
struct Moment: Sendable, Hashable, Comparable {
    enum Kind: Int, CaseIterable, Sendable {
        case instant, local, number
        /// The number of the row, where rows are said to be in the order of time.
        case row
    }

    private let bits: Int64

    /// The time of rows that have none; later than all others.
    static let unknown = Moment(bits: .max)

    private static let largest: Int64 = 1 << 60
    private static let perSecond: Int64 = 1_000_000

    private init(bits: Int64) { self.bits = bits }

    /// - Parameter value: microseconds since 1970, or the number.
    init(_ kind: Kind, _ value: Int64) {
        bits = min(max(value, -Self.largest), Self.largest) << 2 | Int64(kind.rawValue)
    }

    var kind: Kind? { self == .unknown ? nil : Kind(rawValue: Int(bits & 3)) }
    private var value: Int64 { bits >> 2 }

    static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    private var instant: Instant {
        let (seconds, rest) = value.flooredQuotientAndRemainder(dividingBy: Self.perSecond)
        return Instant(seconds: seconds, nanoseconds: Int32(rest) * 1000)
    }

    /// The time as text; empty for a missing one.
    var text: String {
        switch kind {
        case .instant: instant.description
        case .local: String(instant.description.dropLast())
        case .number: String(value)
        case .row: "row \(value)"
        case nil: ""
        }
    }

    /// The number of the day since 1970, in UTC or without an offset, or the number itself; `nil` for a missing time.
    var day: Int? {
        switch kind {
        case .instant, .local: Int(value.flooredQuotientAndRemainder(dividingBy: 86_400 * Self.perSecond).0)
        case .number: Int(value)
        case .row, nil: nil
        }
    }

    var dayText: String? { kind == .number ? text : day.map { CalendarDate(daysSince1970: $0).text } }
}

struct MomentReader: Sendable {
    private var text: [UInt8] = []
    private(set) var last = Moment.unknown
    private(set) var instant: Instant?
    private var counts = Array(repeating: 0, count: Moment.Kind.allCases.count)

    var isMixed: Bool { counts.count { $0 > 0 } > 1 }

    /// The most frequent kind; of several the first.
    var kind: Moment.Kind? {
        let most = counts.max() ?? 0
        return most == 0 ? nil : counts.firstIndex(of: most).flatMap(Moment.Kind.init(rawValue:))
    }

    mutating func read(_ time: Span<UInt8>) -> Moment {
        if !ByteTable.areEqual(time, text.span) {
            instant = Instant(utf8: time)
            last = instant.map { Self.moment(.instant, $0) } ?? Self.read(time)
            text.removeAll(keepingCapacity: true)
            for index in time.indices { text.append(time[index]) }
        }
        if let kind = last.kind { counts[kind.rawValue] += 1 }
        return last
    }

    private static func moment(_ kind: Moment.Kind, _ instant: Instant) -> Moment {
        Moment(kind, instant.seconds * 1_000_000 + Int64(instant.nanoseconds / 1000))
    }

    private static func read(_ time: Span<UInt8>) -> Moment {
        guard !time.isEmpty else { return .unknown }
        let text = String(copying: time)
        if let number = Int64(text) { return Moment(.number, number) }
        // A date, or a date and a time without an offset, to the minute or more exactly.
        let written: String
        switch time.count {
        case 10: written = text + "T00:00:00Z"
        case 16: written = text + ":00Z"
        case 17...: written = text + "Z"
        default: return .unknown
        }
        var bytes = Array(written.utf8)
        if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        return Instant(utf8: bytes.span).map { moment(.local, $0) } ?? .unknown
    }
}
