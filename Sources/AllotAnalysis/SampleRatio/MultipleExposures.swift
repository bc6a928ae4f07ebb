/// Units that were exposed to more than one variant.
struct MultipleExposures: Sendable, Hashable {
    /// A unit and the rows that contradict each other.
    struct Example: Sendable, Hashable {
        /// The unit's ID.
        let unit: String
        /// The index of its first variant.
        let first: Int
        /// The line of the row with the first variant.
        let firstLine: Int
        /// The index of another variant.
        let second: Int
        /// The line of the row with the other variant.
        let secondLine: Int
    }

    /// The most examples that are kept.
    static let exampleLimit = 3

    /// The number of units, by their first variant.
    private(set) var counts: [Int]
    /// The first few of them.
    private(set) var examples: [Example] = []

    init(variantCount: Int) {
        counts = Array(repeating: 0, count: variantCount)
    }

    /// The number of units.
    var unitCount: Int { counts.reduce(0, +) }

    mutating func note(_ unit: Span<UInt8>, from first: Int, line firstLine: Int, to second: Int, line secondLine: Int)
    {
        counts[first] += 1
        guard examples.count < Self.exampleLimit else { return }
        examples.append(
            Example(
                unit: String(copying: unit), first: first, firstLine: firstLine, second: second, secondLine: secondLine)
        )
    }
}
