/// The first unit IDs of a source, put together from blocks that came in any order.
struct SampleHead: Sendable {
    private var blocks: [Int: UnitBlock] = [:]

    /// Adds a block.
    ///
    /// - Parameter start: how many unit IDs come before it.
    mutating func add(_ block: UnitBlock, at start: Int) {
        blocks[start] = block
    }

    mutating func add(_ other: SampleHead) {
        blocks.merge(other.blocks) { $1 }
    }

    /// The first so many unit IDs, fewer where there are no more.
    func units(atMost limit: Int) -> [UnitBlock] {
        blocks.sorted { $0.key < $1.key }.filter { $0.key < limit }.map { $0.value.prefix(limit - $0.key) }
    }
}
