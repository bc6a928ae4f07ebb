/// Units that were exposed to more than one variant.
public struct MultipleExposures: Sendable, Hashable {
    /// A unit and the rows that contradict each other.
    public struct Example: Sendable, Hashable {
        /// The unit's ID.
        public let unit: String
        /// The index of its first variant.
        public let first: Int
        /// The line of the row with the first variant.
        public let firstLine: Int
        /// The index of another variant.
        public let second: Int
        /// The line of the row with the other variant.
        public let secondLine: Int
    }

    /// The most examples that are kept.
    public static let exampleLimit = 3

    /// The number of units, by their first variant.
    public private(set) var counts: [Int]
    /// The first few of them.
    public private(set) var examples: [Example] = []

    init(variantCount: Int) {
        counts = Array(repeating: 0, count: variantCount)
    }

    /// The number of units.
    public var unitCount: Int { counts.reduce(0, +) }

    mutating func note(_ unit: Span<UInt8>, from first: Int, line firstLine: Int, to second: Int, line secondLine: Int)
    {
        counts[first] += 1
        guard examples.count < Self.exampleLimit else { return }
        let text = unit.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        examples.append(
            Example(unit: text, first: first, firstLine: firstLine, second: second, secondLine: secondLine))
    }
}
