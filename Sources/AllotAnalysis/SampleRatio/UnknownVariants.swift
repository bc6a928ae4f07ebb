import Allot

/// Variants that the data hold and the shares do not.
struct UnknownVariants: Sendable, Hashable {
    /// One of them.
    struct Variant: Sendable, Hashable {
        /// The variant as the data name it.
        let key: String
        /// The number of rows, or the sum of their counts.
        var count: Int
        /// The line of the first row.
        let line: Int
    }

    /// The most variants that are kept by name.
    static let limit = 20

    /// In the order of their first rows.
    private(set) var variants: [Variant] = []
    /// The number of rows, or the sum of their counts, of variants beyond those.
    private(set) var otherCount = 0

    /// Whether there are none.
    var isEmpty: Bool { variants.isEmpty }

    mutating func note(_ key: Span<UInt8>, count: Int, line: Int) {
        let key = String(copying: key)
        if let index = variants.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            variants[index].count = variants[index].count.addingClamped(count)
        } else if variants.count < Self.limit {
            variants.append(Variant(key: key, count: count, line: line))
        } else {
            otherCount = otherCount.addingClamped(count)
        }
    }
}

extension Int {
    /// A sum that stays at the largest number instead of overflowing.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
