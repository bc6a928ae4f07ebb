import Synchronization

/// Unit IDs of one shape, made as they are needed.
public final class GeneratedUnits: UnitSource {
    /// The number of unit IDs of a block but the last: small enough for what is made of it to stay in a core's cache.
    static let blockLength = 1 << 14

    /// What the IDs look like.
    public let shape: UnitShape
    /// The number of IDs.
    public let count: Int
    /// What the random ones depend on.
    public let seed: UInt64
    private let given = Atomic<Int>(0)

    /// Creates a source of `count` unit IDs, 0 or more.
    public init(_ shape: UnitShape, count: Int, seed: UInt64 = 1) {
        self.shape = shape
        self.count = max(count, 0)
        self.seed = seed
    }

    public var name: String { shape.rawValue }
    public var expectedCount: Int? { count }

    public var notes: [String] {
        let examples = (0..<min(3, count)).map { "\"\(shape.unitID($0, seed: seed))\"" }
        return examples.isEmpty ? [] : ["Generated, such as \(examples.joined(separator: ", "))."]
    }

    public func next(into block: inout UnitBlock) -> Int? {
        block.removeAll()
        let start = given.add(Self.blockLength, ordering: .relaxed).oldValue
        guard start < count else { return nil }
        for index in start..<min(start + Self.blockLength, count) {
            block.append { shape.write(index, seed: seed, to: &$0) }
        }
        return start
    }
}
