/// Units that turned up in more than one variant.
public struct Crossings: Sendable, Hashable {
    /// A unit and the rows that contradict each other.
    public struct Example: Sendable, Hashable {
        /// The unit's ID.
        public let unit: String
        /// The index of the variant that it had first, and the line of that row.
        public let first: Int
        public let firstLine: Int
        /// The index of another variant that it had, and the line of that row.
        public let second: Int
        public let secondLine: Int
    }

    /// The most examples that are kept.
    public static let exampleLimit = 3

    /// By the variant that they had first, the number of units.
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
