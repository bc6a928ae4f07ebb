/// Units that were exposed to more than one variant.
struct MultipleExposures: Sendable, Hashable {
    /// A unit and the rows that contradict each other.
    struct Example: Sendable, Hashable {
        /// The unit's ID.
        let unit: String
        /// Its first variant.
        let first: String
        /// The line of the row with the first variant.
        let firstLine: Int
        /// Another variant.
        let second: String
        /// The line of the row with the other variant.
        let secondLine: Int
    }

    /// The most examples that are kept.
    static let exampleLimit = 3

    /// The number of units, by their first variant.
    private(set) var counts: [Int]
    /// Whether some of them were in another variant under another revision, as when shares change.
    private(set) var areReassigned = false
    /// The first few of them.
    private(set) var examples: [Example] = []

    init(variantCount: Int) {
        counts = Array(repeating: 0, count: variantCount)
    }

    /// The number of units.
    var unitCount: Int { counts.reduce(0, +) }

    /// - Parameters:
    ///   - variant: the index of its first variant.
    ///   - isReassigned: whether the other variant was under another revision.
    mutating func note(_ example: Example, variant: Int, isReassigned: Bool) {
        counts[variant] += 1
        areReassigned = areReassigned || isReassigned
        if examples.count < Self.exampleLimit { examples.append(example) }
    }
}
