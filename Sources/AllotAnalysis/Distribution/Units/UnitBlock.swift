/// Some unit IDs, one after the other in one piece of memory that is reused for the next ones.
public struct UnitBlock: Sendable {
    /// All the IDs in UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// Where in ``bytes`` each ID ends; the next one begins there.
    public private(set) var ends: [Int] = []

    /// An empty block.
    public init() {}

    /// The number of unit IDs.
    @inlinable
    public var count: Int { ends.count }

    /// Where in ``bytes`` a unit ID stands.
    @inlinable
    public subscript(index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index &- 1])..<ends[index] }

    /// Adds a unit ID: 1 to 1024 bytes of valid UTF-8.
    public mutating func append(_ unitID: some Sequence<UInt8>) {
        bytes.append(contentsOf: unitID)
        ends.append(bytes.count)
    }

    mutating func append(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
        ends.append(bytes.count)
    }

    /// Empties the block and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Takes the IDs of another block, each with the same bytes after it.
    mutating func replace(with units: UnitBlock, followedBy end: [UInt8]) {
        removeAll()
        for index in 0..<units.count {
            bytes.append(contentsOf: units.bytes[units[index]])
            bytes.append(contentsOf: end)
            ends.append(bytes.count)
        }
    }

    func prefix(_ count: Int) -> UnitBlock {
        guard count < self.count else { return self }
        var block = UnitBlock()
        block.ends = Array(ends.prefix(count))
        block.bytes = Array(bytes.prefix(block.ends.last ?? 0))
        return block
    }
}

/// A source of the unit IDs of a study, which is read once, from several threads.
public protocol UnitSource: AnyObject, Sendable {
    /// The name of the unit IDs, for reports: `sequential`, `users.csv, column user_id`.
    var name: String { get }
    /// How many unit IDs there are, if that is known beforehand.
    var expectedCount: Int? { get }

    /// Replaces the unit IDs of a block by the next ones, each of 1 to 1024 bytes, each only once in the source.
    ///
    /// - Returns: how many unit IDs came before them; `nil` when there are none left, and the block is empty.
    func next(into block: inout UnitBlock) throws -> Int?

    /// The notes for a reader of the report, in sentences. They are read at the end.
    var notes: [String] { get }
}
