internal import CSHA256Lanes

/// Unit IDs that are hashed together: several compressions at once take about half the time of one after another.
///
///     queue.fill(units.count, from: bytes, under: salt) { units[$0] }
///     queue.hash()
///     let buckets = queue[0]
struct HashQueue: Sendable {
    /// The number of unit IDs.
    private(set) var count = 0
    /// One padded block for each unit ID, and room to fill up the last group.
    private var blocks: [UInt8]
    /// The first four words of each digest.
    private var words: [UInt32]
    /// The digests of those that one block does not hold; they are hashed at once.
    private var long: [(index: Int, state: SHA256State)] = []

    private static let laneCount = Int(allot_sha256_lane_count)
    private static let hasLanes = allot_sha256_has_lanes()

    /// Makes room for `capacity` unit IDs.
    init(capacity: Int) {
        let rounded = (capacity + Self.laneCount - 1) / Self.laneCount * Self.laneCount
        blocks = Array(repeating: 0, count: rounded * 64)
        words = Array(repeating: 0, count: rounded * 4)
    }

    /// Takes unit IDs instead of those before; there must be room.
    ///
    /// - Parameter unit: where each of them stands in `bytes`.
    @inline(__always)
    mutating func fill(
        _ count: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        if !long.isEmpty { long.removeAll(keepingCapacity: true) }
        self.count = count
        // Taken out for the time being, so that it is this function's alone.
        var blocks: [UInt8] = []
        swap(&blocks, &self.blocks)
        var target = blocks.mutableSpan
        for index in 0..<count {
            let unitID = bytes.extracting(unit(index))
            if salt.fitsOneBlock(unitID) {
                salt.fill(&target, at: index &* 64, with: unitID)
            } else {
                long.append((index, salt.state(of: unitID)))
            }
        }
        swap(&blocks, &self.blocks)
    }

    /// Hashes all unit IDs.
    mutating func hash() {
        hashBlocks()
        for (index, state) in long {
            for word in 0..<4 { words[index * 4 + word] = state.words[word] }
        }
    }

    private mutating func hashBlocks() {
        let count = count
        blocks.withUnsafeBufferPointer { blocks in
            words.withUnsafeMutableBufferPointer { words in
                guard let block = blocks.baseAddress, let word = words.baseAddress else { return }
                var index = 0
                if Self.hasLanes {
                    // The last group is filled up with blocks of earlier rounds.
                    while index < count {
                        allot_sha256_four_blocks(block + index * 64, word + index * 4)
                        index += Self.laneCount
                    }
                } else {
                    while index < count {
                        let state = SHA256State(oneBlock: block + index * 64)
                        for offset in 0..<4 { word[index * 4 + offset] = state.words[offset] }
                        index += 1
                    }
                }
            }
        }
    }

    /// The buckets of a unit ID that was hashed.
    @inline(__always)
    subscript(index: Int) -> BucketPair {
        Bucketing.buckets(words[index &* 4], words[index &* 4 &+ 1], words[index &* 4 &+ 2])
    }
}
