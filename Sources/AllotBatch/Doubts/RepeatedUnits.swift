@_spi(Groups) import AllotCore

/// How many neighbouring rows have the same unit, as in logs of events. `Sendable`.
///
/// Only the first group of each chunk counts: there are enough to tell a log from a list of users.
public struct RepeatedUnits: BatchStatistics, Hashable {
    /// The number of compared pairs of neighbouring rows.
    public private(set) var pairCount = 0
    /// The number of those with the same unit.
    public private(set) var repeatCount = 0

    /// The share of pairs from which rows are events, and the number of a unit's rows says nothing about the split.
    private static let share = 0.05

    /// Whether rows are events, and not units.
    package var areEvents: Bool { repeatCount > 1 && Double(repeatCount) >= Self.share * Double(pairCount) }

    /// Looks at the units of a group, in a column of the plan, unless it did so for this chunk.
    mutating func note(_ group: RowGroup, attribute: Int, _ bytes: Span<UInt8>) {
        guard pairCount == 0 else { return }
        var previous: Range<Int>?
        for row in 0..<group.count {
            let value = group.values[group.valueRange(row).lowerBound &+ attribute]
            guard value.length > 0 else { continue }
            if let previous {
                pairCount += 1
                if ByteTable.areEqual(bytes.extracting(previous), bytes.extracting(value.range)) { repeatCount += 1 }
            }
            previous = value.range
        }
    }

    mutating func merge(_ next: Self) {
        pairCount += next.pairCount
        repeatCount += next.repeatCount
    }

    /// Two estimates count as equal: they depend on how a file is divided into chunks, as no other count does.
    public static func == (left: Self, right: Self) -> Bool { true }
    /// Hashes nothing.
    public func hash(into hasher: inout Hasher) {}
}
