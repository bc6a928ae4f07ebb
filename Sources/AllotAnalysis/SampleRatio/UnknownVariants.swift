import AllotConfiguration

/// Variants that the data hold and the shares do not.
struct UnknownVariants: Sendable, Hashable {
    struct Variant: Sendable, Hashable {
        let key: String
        /// The number of rows, or the sum of their counts.
        let count: Int
    }

    static let limit = 20

    /// The most frequent first.
    let variants: [Variant]
    /// The number of rows, or the sum of their counts, of variants beyond those.
    let otherCount: Int

    var isEmpty: Bool { variants.isEmpty }

    init(_ found: [(key: String, count: Int)] = []) {
        let sorted = found.sorted {
            $0.count == $1.count ? UTF8Order.precedes($0.key, $1.key) : $0.count > $1.count
        }
        variants = sorted.prefix(Self.limit).map { Variant(key: $0.key, count: $0.count) }
        otherCount = sorted.dropFirst(Self.limit).reduce(0) { $0.addingClamped($1.count) }
    }
}

extension Int {
    /// A sum that stays at the largest number instead of overflowing.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
