/// Where the decisions on a group of subjects are: experiment after experiment by the index in the plan, and for each
/// experiment row after row, with room for the largest group.
///
/// Public for other modules of this package alone, like `AttributeValue`.
@_spi(Groups) public struct DecisionPlaces: Sendable {
    @usableFromInline let capacity: Int

    /// - Parameter capacity: The most subjects of a group.
    @inlinable @inline(__always) public init(capacity: Int) { self.capacity = capacity }

    /// The place of the decision on an experiment for a row.
    @inlinable @inline(__always) public func of(_ experiment: Int, row: Int) -> Int { experiment &* capacity &+ row }

    /// The places of the decisions on an experiment for the first rows.
    @inlinable @inline(__always) public func of(_ experiment: Int, rows count: Int) -> Range<Int> {
        let first = of(experiment, row: 0)
        return first..<first &+ count
    }
}
