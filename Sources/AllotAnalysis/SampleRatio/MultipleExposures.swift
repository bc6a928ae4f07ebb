import AllotConfiguration
import AllotCore

/// Units that had several variants within one revision of a definition.
struct MultipleExposures: Sendable, Hashable {
    struct Example: Sendable, Hashable {
        let unit: String
        let variants: [String]
        /// The earliest time of each; empty where rows have none.
        let times: [String]
    }

    var unitCount = 0
    /// The units among them that count for no variant, as nothing says which one was the first.
    var undecidedCount = 0
    /// Units that were in another variant under a later revision, as when shares change.
    var reassignedCount = 0
    var presentCount = 0
    /// The share of units that is certainly exceeded.
    var lowerBound = 0.0
    var isAlarm = false
    var examples: [Example] = []
}

/// A few units of each period: the first by time and unit ID, whatever the order of rows.
struct UnitExamples: Sendable {
    struct Example: Sendable {
        let unit: [UInt8]
        let moment: Moment
        let variant: Int
        let owner: UInt16

        func precedes(_ other: Self) -> Bool {
            if moment != other.moment { return moment < other.moment }
            if unit != other.unit { return unit.lexicographicallyPrecedes(other.unit) }
            return variant < other.variant
        }
    }

    private(set) var examples: [Int: [Example]] = [:]

    private static let limit = 3

    mutating func note(
        _ unit: Span<UInt8>, period: Int, variant: Int = 0, owner: UInt16 = 0, _ moment: Moment = .unknown
    ) {
        var kept = examples[period] ?? []
        if kept.count == Self.limit, let last = kept.last, last.moment < moment { return }
        let new = Example(unit: unit.withUnsafeBytes { Array($0) }, moment: moment, variant: variant, owner: owner)
        if let known = kept.firstIndex(where: { $0.unit == new.unit }) {
            guard new.precedes(kept[known]) else { return }
            kept.remove(at: known)
        }
        kept.insert(new, at: kept.firstIndex { new.precedes($0) } ?? kept.count)
        examples[period] = Array(kept.prefix(Self.limit))
    }
}
