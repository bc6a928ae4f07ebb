internal import CSHA256Lanes

/// Unit IDs that are hashed together: several compressions at once take about half the time of one after another.
///
/// ```swift-fragment
/// queue.append(units.count, from: bytes, under: salt) { units[$0] }
/// queue.hash()
/// let buckets = queue[0]
/// ```
struct HashQueue: Sendable {
    /// The number of unit IDs.
    private(set) var count = 0
    /// A padded block for each unit ID that fits into one, with room to complete the last group.
    private var blocks: [UInt8]
    /// The first four words of each digest.
    private var words: [UInt32]
    /// The index of each block's unit ID.
    private var owners: [Int32]
    private var blockCount = 0
    private let usesLanes: Bool

    private static let laneCount = Int(allot_sha256_lane_count)
    /// Whether this processor can hash several blocks at once.
    static let hasLanes = allot_sha256_has_lanes()

    /// Creates a queue with room for `capacity` unit IDs.
    init(capacity: Int, usesLanes: Bool = hasLanes) {
        self.usesLanes = usesLanes
        let rounded = (capacity + Self.laneCount - 1) / Self.laneCount * Self.laneCount
        blocks = Array(repeating: 0, count: rounded * 64)
        words = Array(repeating: 0, count: rounded * 4)
        owners = Array(repeating: 0, count: rounded)
    }

    /// Appends unit IDs under one salt. There must be room for `count`.
    ///
    /// - Parameter unit: the place of each unit ID in `bytes`.
    @inline(__always)
    mutating func append(
        _ count: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        Self.lay(
            count, from: bytes, under: salt, unit, at: self.count, into: &blocks, owners: &owners, &blockCount,
            words: &words)
        self.count &+= count
    }

    /// Lays out the blocks of unit IDs, and hashes the ones that do not fit into a block. Each array is a parameter, so
    /// that the loop has exclusive access to it.
    @inline(__always)
    private static func lay(
        _ count: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>,
        at start: Int, into blocks: inout [UInt8], owners: inout [Int32], _ blockCount: inout Int,
        words: inout [UInt32]
    ) {
        var target = blocks.mutableSpan
        for index in 0..<count {
            let unitID = bytes.extracting(unit(index))
            if salt.fitsOneBlock(unitID) {
                salt.fill(&target, at: blockCount &* 64, with: unitID)
                owners[blockCount] = Int32(truncatingIfNeeded: start &+ index)
                blockCount &+= 1
            } else {
                let state = salt.state(of: unitID)
                for word in 0..<4 { words[(start &+ index) * 4 + word] = state.words[word] }
            }
        }
    }

    /// Empties the queue.
    mutating func removeAll() {
        count = 0
        blockCount = 0
    }

    /// Appends a unit ID with a salt of its own.
    @inline(__always)
    mutating func append(_ unitID: Span<UInt8>, under salt: borrowing SaltedHash) {
        let index = count
        count &+= 1
        if salt.fitsOneBlock(unitID) {
            let start = blockCount &* 64
            var target = blocks.mutableSpan
            salt.fill(&target, at: start, with: unitID)
            owners[blockCount] = Int32(truncatingIfNeeded: index)
            blockCount &+= 1
        } else {
            let state = salt.state(of: unitID)
            for word in 0..<4 { words[index * 4 + word] = state.words[word] }
        }
    }

    /// Hashes the unit IDs that fit into one block. Longer ones were hashed when they were added.
    mutating func hash() {
        let (blockCount, usesLanes) = (blockCount, usesLanes)
        var digests = InlineArray<16, UInt32>(repeating: 0)
        blocks.withUnsafeBufferPointer { blocks in
            guard let base = blocks.baseAddress else { return }
            var index = 0
            while index < blockCount {
                // One block alone is faster without lanes.
                let inLanes = usesLanes && blockCount - index > 1
                let step = inLanes ? Self.laneCount : 1
                if inLanes {
                    // Blocks of earlier rounds complete the last group.
                    var span = digests.mutableSpan
                    span.withUnsafeMutableBufferPointer { digests in
                        guard let digests = digests.baseAddress else { return }
                        allot_sha256_four_blocks(base + index * 64, digests)
                    }
                } else {
                    let state = SHA256State(oneBlock: base + index * 64)
                    for word in 0..<4 { digests[word] = state.words[word] }
                }
                for lane in 0..<min(step, blockCount - index) {
                    let owner = Int(owners[index &+ lane])
                    for word in 0..<4 { words[owner &* 4 &+ word] = digests[lane &* 4 &+ word] }
                }
                index += step
            }
        }
    }

    /// The buckets of a unit ID, after ``hash()``.
    @inline(__always)
    subscript(index: Int) -> BucketPair {
        Bucketing.buckets(words[index &* 4], words[index &* 4 &+ 1], words[index &* 4 &+ 2])
    }
}
