import Allot
import AllotConfiguration

/// Checks that rows come in the order of their times.
///
/// The first time decides how all are read: as RFC 3339 instants, as whole numbers (seconds or milliseconds since some
/// moment), or as text whose bytes are in order, such as `2026-11-21 12:00:00`.
public struct TimeOrder: Sendable {
    /// Why rows are not in order.
    public struct Fault: Sendable, Hashable {
        /// The line of the row at fault.
        public let line: Int
        /// What it holds.
        public let text: String
        /// Whether it is earlier than the row before it, rather than no time at all.
        public let isEarlier: Bool
    }

    private enum Moment: Sendable {
        case instant(Instant)
        case number(Int)
        case text
    }

    private var text: [UInt8] = []
    private var moment: Moment?
    /// Different times so far: rows of the same number have the same time.
    public private(set) var stepCount = 0
    /// The first row that is out of order.
    public private(set) var fault: Fault?

    /// Creates a check that has seen no row.
    public init() {}

    /// The last row's time, if times are instants and it was one.
    public var instant: Instant? {
        if case .instant(let instant)? = moment { instant } else { nil }
    }

    /// Looks at the time of the next row. Complexity: O(length of the text).
    public mutating func step(_ time: Span<UInt8>, line: Int) {
        if moment != nil, isSame(time) { return }
        let read = Self.read(time, like: moment)
        if let moment, let read, fault == nil, Self.precedes(read, time, moment, text.span) {
            note(time, line: line, isEarlier: true)
        } else if read == nil, fault == nil {
            note(time, line: line, isEarlier: false)
        }
        guard let read else { return }
        stepCount += 1
        moment = read
        text.removeAll(keepingCapacity: true)
        for index in time.indices { text.append(time[index]) }
    }

    private mutating func note(_ time: Span<UInt8>, line: Int, isEarlier: Bool) {
        let text = time.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        fault = Fault(line: line, text: text, isEarlier: isEarlier)
    }

    private func isSame(_ time: Span<UInt8>) -> Bool {
        guard time.count == text.count else { return false }
        for index in time.indices where time[index] != text[index] { return false }
        return true
    }

    /// A time, read in the way of the one before it.
    private static func read(_ time: Span<UInt8>, like moment: Moment?) -> Moment? {
        guard !time.isEmpty else { return nil }
        switch moment {
        case .instant: return Instant(utf8: time).map(Moment.instant)
        case .number: return number(time).map(Moment.number)
        case .text: return .text
        case nil: return Instant(utf8: time).map(Moment.instant) ?? number(time).map(Moment.number) ?? .text
        }
    }

    private static func number(_ time: Span<UInt8>) -> Int? {
        time.withUnsafeBytes { Int(String(decoding: $0, as: UTF8.self)) }
    }

    private static func precedes(
        _ left: Moment, _ leftText: Span<UInt8>, _ right: Moment, _ rightText: Span<UInt8>
    ) -> Bool {
        switch (left, right) {
        case (.instant(let left), .instant(let right)): return left < right
        case (.number(let left), .number(let right)): return left < right
        default:
            for index in 0..<min(leftText.count, rightText.count) where leftText[index] != rightText[index] {
                return leftText[index] < rightText[index]
            }
            return leftText.count < rightText.count
        }
    }
}
