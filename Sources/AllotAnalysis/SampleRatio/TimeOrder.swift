import Allot
import AllotConfiguration

/// Checks that rows come in the order of their times.
///
/// The first time decides how all are read: as RFC 3339 instants, as whole numbers (seconds or milliseconds since some
/// moment), or as text whose bytes are in order, such as `2026-11-21 12:00:00`.
struct TimeOrder: Sendable {
    /// Why rows are not in order.
    struct Fault: Sendable, Hashable {
        /// The line of the row at fault.
        let line: Int
        /// What it holds.
        let text: String
        /// Whether it is earlier than the row before it, rather than no time at all.
        let isEarlier: Bool
    }

    private enum Moment: Sendable {
        case instant(Instant)
        case number(Int)
        case text
    }

    private var text: [UInt8] = []
    private var moment: Moment?
    /// Whether the last row had a time.
    private var isTimed = false
    /// Different times so far: rows of the same number have the same time.
    private(set) var stepCount = 0
    /// The first row that is out of order.
    private(set) var fault: Fault?

    /// The last row's time, if times are instants and it was one.
    var instant: Instant? {
        if isTimed, case .instant(let instant)? = moment { instant } else { nil }
    }

    /// Looks at the time of the next row. Complexity: O(length of the text).
    mutating func step(_ time: Span<UInt8>, line: Int) {
        if moment != nil, time.isEqual(to: text.span) {
            isTimed = true
            return
        }
        let read = Self.read(time, like: moment)
        isTimed = read != nil
        let isEarlier = if let moment, let read { Self.precedes(read, time, moment, text.span) } else { false }
        if fault == nil, isEarlier || read == nil {
            fault = Fault(line: line, text: String(copying: time), isEarlier: isEarlier)
        }
        guard let read else { return }
        stepCount += 1
        moment = read
        text.removeAll(keepingCapacity: true)
        for index in time.indices { text.append(time[index]) }
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
        Int(String(copying: time))
    }

    private static func precedes(
        _ left: Moment, _ leftText: Span<UInt8>, _ right: Moment, _ rightText: Span<UInt8>
    ) -> Bool {
        switch (left, right) {
        case (.instant(let left), .instant(let right)): left < right
        case (.number(let left), .number(let right)): left < right
        default: UTF8Order.precedes(String(copying: leftText), String(copying: rightText))
        }
    }
}

extension Span<UInt8> {
    /// Whether both hold the same bytes.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
