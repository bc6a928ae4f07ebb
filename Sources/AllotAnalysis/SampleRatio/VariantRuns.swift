/// How often the variant changes from one row to the next.
///
/// In the order of time variants come mixed. A file that is sorted by variant consists of a few long runs, whatever the
/// variants' ratio.
struct VariantRuns: Sendable, Hashable {
    private(set) var count = 0
    private var last: Int?
    private var rows: [Int]

    init(variantCount: Int) {
        rows = Array(repeating: 0, count: variantCount)
    }

    mutating func note(_ variant: Int) {
        if variant != last { count += 1 }
        last = variant
        rows[variant] += 1
    }

    /// The number of runs that rows in random order are expected to have (W. L. Stevens, "Distribution of groups in a
    /// sequence of alternatives", 1939).
    var expected: Double {
        let total = Double(rows.reduce(0, +))
        guard total > 0 else { return 0 }
        return 1 + rows.reduce(0) { $0 + Double($1) * (total - Double($1)) / total }
    }

    /// Whether there are so few runs that the order cannot be that of time. Even if a variant is lost from some moment
    /// on, there is half the expected number.
    var isSorted: Bool { count > 0 && Double(count) * 4 <= expected }
}
