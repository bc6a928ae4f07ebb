internal import CSHA256Lanes

/// Unit IDs that are hashed together: several compressions at once take about half the time of one after another.
///
/// ```swift-fragment
/// queue.append(units.count, from: bytes, under: salt) { units[$0] }
/// queue.hash()
/// let buckets = queue[0]
/// ```
struct HashQueue: Sendable {
    /// The digest of a unit ID that does not fit into one block.
    private struct LongDigest: Sendable {
        let index: Int
        let state: SHA256State
    }

    /// The number of unit IDs.
    private(set) var count = 0
    /// The padded block of each unit ID, with room to complete the last group.
    private var blocks: [UInt8]
    /// The first four words of each digest.
    private var words: [UInt32]
    /// Made when their unit IDs are appended; what the blocks of these hold does not matter.
    private var longDigests: [LongDigest] = []
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
    }

    /// Appends unit IDs under one salt. There must be room for `count`.
    ///
    /// - Parameter unit: the place of each unit ID in `bytes`.
    @inline(__always)
    mutating func append(
        _ count: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        Self.append(count, at: self.count, from: bytes, under: salt, unit, to: &blocks, &longDigests)
        self.count &+= count
    }

    /// Appends a unit ID. There must be room for it.
    @inline(__always)
    mutating func append(_ unitID: Span<UInt8>, under salt: borrowing SaltedHash) {
        append(1, from: unitID, under: salt) { _ in 0..<unitID.count }
    }

    /// Fills the blocks of unit IDs. Each array is a parameter, so that the loop has exclusive access to it.
    @inline(__always)
    private static func append(
        _ count: Int, at start: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash,
        _ unit: (Int) -> Range<Int>, to blocks: inout [UInt8], _ longDigests: inout [LongDigest]
    ) {
        var target = blocks.mutableSpan
        for index in 0..<count {
            let unitID = bytes.extracting(unit(index))
            if salt.fitsOneBlock(unitID) {
                salt.fill(&target, at: (start &+ index) &* 64, with: unitID)
            } else {
                longDigests.append(LongDigest(index: start &+ index, state: salt.state(of: unitID)))
            }
        }
    }

    /// Hashes the unit IDs.
    mutating func hash() {
        let (count, usesLanes) = (count, usesLanes)
        blocks.withUnsafeBufferPointer { blocks in
            words.withUnsafeMutableBufferPointer { words in
                guard let block = blocks.baseAddress, let digest = words.baseAddress else { return }
                var index = 0
                while index < count {
                    // One block alone is faster without lanes. Blocks of earlier rounds complete the last group.
                    if usesLanes, count - index > 1 {
                        allot_sha256_four_blocks(block + index * 64, digest + index * 4)
                        index += Self.laneCount
                    } else {
                        let state = SHA256State(oneBlock: block + index * 64)
                        for word in 0..<4 { digest[index * 4 + word] = state.words[word] }
                        index += 1
                    }
                }
            }
        }
        for digest in longDigests {
            for word in 0..<4 { words[digest.index * 4 + word] = digest.state.words[word] }
        }
    }

    /// Empties the queue.
    mutating func removeAll() {
        count = 0
        if !longDigests.isEmpty { longDigests.removeAll() }
    }

    /// The buckets of a unit ID, after ``hash()``.
    @inline(__always)
    subscript(index: Int) -> BucketPair {
        Bucketing.buckets(words[index &* 4], words[index &* 4 &+ 1], words[index &* 4 &+ 2])
    }
}
