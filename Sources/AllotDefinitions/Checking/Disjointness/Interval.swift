import AllotCore

/// A range of an ordered type with open or closed ends.
struct Interval<Bound: Comparable & Sendable>: Sendable {
    private var lower: (bound: Bound, isIncluded: Bool)?
    private var upper: (bound: Bound, isIncluded: Bool)?

    /// Narrows the range to the values that also satisfy a comparison.
    mutating func narrow(_ ordering: Condition.Ordering, _ bound: Bound) {
        switch ordering {
        case .equal:
            narrow(.greaterOrEqual, bound)
            narrow(.lessOrEqual, bound)
        case .greater, .greaterOrEqual: Self.narrow(&lower, bound, ordering == .greaterOrEqual, by: >)
        case .less, .lessOrEqual: Self.narrow(&upper, bound, ordering == .lessOrEqual, by: <)
        }
    }

    private static func narrow(
        _ end: inout (bound: Bound, isIncluded: Bool)?, _ bound: Bound, _ isIncluded: Bool,
        by isNarrower: (Bound, Bound) -> Bool
    ) {
        if let end, !isNarrower(bound, end.bound), bound != end.bound || isIncluded { return }
        end = (bound, isIncluded)
    }

    /// Whether no value is in both ranges.
    func isDisjoint(from other: Self) -> Bool {
        isBelow(other) || other.isBelow(self)
    }

    private func isBelow(_ other: Self) -> Bool {
        guard let upper, let lower = other.lower else { return false }
        return upper.bound < lower.bound || (upper.bound == lower.bound && !(upper.isIncluded && lower.isIncluded))
    }
}

/// A version that compares by precedence.
package struct VersionBound: Sendable, Comparable {
    private let bytes: [UInt8]
    private let version: Version

    /// Reads a version. Returns `nil` for other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version(bytes.span) else { return nil }
        (self.bytes, self.version) = (bytes, version)
    }

    private static func compare(_ left: Self, _ right: Self) -> Int {
        Version.compare(left.version, in: left.bytes.span, right.version, in: right.bytes.span)
    }

    package static func == (left: Self, right: Self) -> Bool { compare(left, right) == 0 }
    package static func < (left: Self, right: Self) -> Bool { compare(left, right) < 0 }
}
