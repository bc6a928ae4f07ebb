internal import CSHA256Lanes

/// Unit IDs that are hashed together: several compressions at once take about half the time of one after another.
struct HashQueue: Sendable {
    /// A unit ID that does not fit into one block.
    private struct LongUnit: Sendable {
        let index: Int
        let buckets: BucketPair
    }

    private(set) var count = 0
    /// The padded block of each unit ID, with room to complete the last group. Vectors, so that each lies in one line
    /// of the cache.
    private var blocks: [SIMD64<UInt8>]
    /// The first bucket of each, once hashed.
    private var firsts: [UInt32]
    /// The second bucket of each, once hashed.
    private var seconds: [UInt32]
    /// Made when their unit IDs are appended; what the blocks of these hold does not matter.
    private var longUnits: [LongUnit] = []
    private let lanes: Lanes

    /// Which numbers of blocks are hashed at once.
    struct Lanes: Sendable, Hashable {
        /// The fewest blocks that are hashed thirty-two at once; `nil` for none.
        var fewestForThirtyTwo: Int?
        /// The fewest blocks that are hashed sixteen at once; `nil` for none.
        var fewestForSixteen: Int?
        /// The fewest blocks of which up to four are hashed at once; `nil` for none.
        var fewestForFour: Int?

        /// The fastest on this processor.
        static let available: Lanes = {
            let lanes = allot_sha256_available_lanes()
            return Lanes(
                fewestForThirtyTwo: fewest(lanes.fewest_for_thirty_two),
                fewestForSixteen: fewest(lanes.fewest_for_sixteen), fewestForFour: fewest(lanes.fewest_for_four))
        }()

        private static func fewest(_ count: Int32) -> Int? { count == 0 ? nil : Int(count) }

        /// The most blocks that are read at once where there are at most `count`.
        fileprivate func most(of count: Int) -> Int {
            if count >= fewestForThirtyTwo ?? .max { return 32 }
            return count >= fewestForSixteen ?? .max ? 16 : 4
        }
    }

    init(capacity: Int, lanes: Lanes = .available) {
        self.lanes = lanes
        let most = lanes.most(of: capacity)
        let rounded = (capacity + most - 1) / most * most
        blocks = Array(repeating: .zero, count: rounded)
        firsts = Array(repeating: 0, count: rounded)
        seconds = Array(repeating: 0, count: rounded)
    }

    /// Appends unit IDs under one salt, by the place of each in `bytes`. There must be room for `count`.
    @inline(__always) mutating func append(
        _ count: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash, _ unit: (Int) -> Range<Int>
    ) {
        Self.append(count, at: self.count, from: bytes, under: salt, unit, to: &blocks, &longUnits)
        self.count &+= count
    }

    /// Appends a unit ID. There must be room for it.
    @inline(__always) mutating func append(_ unitID: Span<UInt8>, under salt: borrowing SaltedHash) {
        append(1, from: unitID, under: salt) { _ in 0..<unitID.count }
    }

    /// Fills the blocks of unit IDs. Each array is a parameter, so that the loop has exclusive access to it.
    @inline(__always) private static func append(
        _ count: Int, at start: Int, from bytes: Span<UInt8>, under salt: borrowing SaltedHash,
        _ unit: (Int) -> Range<Int>, to blocks: inout [SIMD64<UInt8>], _ longUnits: inout [LongUnit]
    ) {
        var target = blocks.mutableSpan
        for index in 0..<count {
            let unitID = bytes.extracting(unit(index))
            if salt.fitsOneBlock(unitID) {
                salt.fill(&target[start &+ index], with: unitID)
            } else {
                appendLong(unitID, at: start &+ index, under: salt, to: &longUnits)
            }
        }
    }

    /// Not inlined: it is rare, and would take registers from the loop.
    @inline(never) private static func appendLong(
        _ unitID: Span<UInt8>, at index: Int, under salt: borrowing SaltedHash, to longUnits: inout [LongUnit]
    ) { longUnits.append(LongUnit(index: index, buckets: salt.buckets(of: unitID))) }

    mutating func hash() {
        Self.hash(count, blocks, lanes, &firsts, &seconds)
        for long in longUnits {
            firsts[long.index] = UInt32(truncatingIfNeeded: long.buckets.first)
            seconds[long.index] = UInt32(truncatingIfNeeded: long.buckets.second)
        }
    }

    private static func hash(
        _ count: Int, _ blocks: [SIMD64<UInt8>], _ lanes: Lanes, _ firsts: inout [UInt32], _ seconds: inout [UInt32]
    ) {
        let scale = UInt32(Bucketing.bucketCount)
        let (thirtyTwo, sixteen) = (lanes.fewestForThirtyTwo ?? .max, lanes.fewestForSixteen ?? .max)
        let four = lanes.fewestForFour ?? .max
        blocks.withUnsafeBytes { blocks in
            firsts.withUnsafeMutableBufferPointer { firsts in
                seconds.withUnsafeMutableBufferPointer { seconds in
                    guard let blocks = blocks.assumingMemoryBound(to: UInt8.self).baseAddress,
                        let firsts = firsts.baseAddress, let seconds = seconds.baseAddress
                    else { return }
                    var index = 0
                    while index < count {
                        let block = blocks + index * 64
                        // Blocks of earlier rounds complete the last group.
                        if count - index >= thirtyTwo {
                            allot_sha256_draw_thirty_two(block, scale, firsts + index, seconds + index)
                            index += 32
                        } else if count - index >= sixteen {
                            allot_sha256_draw_sixteen(block, scale, firsts + index, seconds + index)
                            index += 16
                        } else if count - index >= four {
                            let lanes = Int32(min(max(count - index, 2), 4))
                            allot_sha256_draw_few(block, lanes, scale, firsts + index, seconds + index)
                            index += Int(lanes)
                        } else {
                            let buckets = SaltedHash.buckets(SHA256State(oneBlock: block))
                            firsts[index] = UInt32(truncatingIfNeeded: buckets.first)
                            seconds[index] = UInt32(truncatingIfNeeded: buckets.second)
                            index += 1
                        }
                    }
                }
            }
        }
    }

    mutating func removeAll() {
        count = 0
        if !longUnits.isEmpty { longUnits.removeAll() }
    }

    /// Gives `body` the first and the second buckets of some unit IDs, after ``hash()``.
    @inline(__always) func withBuckets<Result>(
        _ range: Range<Int>, _ body: (_ firsts: Span<UInt32>, _ seconds: Span<UInt32>) -> Result
    ) -> Result { body(firsts.span.extracting(range), seconds.span.extracting(range)) }

    /// The second bucket of a unit ID, after ``hash()``.
    @inline(__always) func second(_ index: Int) -> UInt32 { seconds[index] }

    /// Copies the buckets of all unit IDs to the elements from `start` on, after ``hash()``.
    func copy(to firsts: inout MutableSpan<UInt32>, _ seconds: inout MutableSpan<UInt32>, from start: Int) {
        Self.copy(self.firsts, count, to: &firsts, from: start)
        Self.copy(self.seconds, count, to: &seconds, from: start)
    }

    private static func copy(_ buckets: [UInt32], _ count: Int, to target: inout MutableSpan<UInt32>, from start: Int) {
        target.withUnsafeMutableBufferPointer { target in
            let target = UnsafeMutableBufferPointer(rebasing: target[start..<start + count])
            _ = target.update(fromContentsOf: buckets[..<count])
        }
    }

    /// The buckets of a unit ID, after ``hash()``.
    @inline(__always) subscript(index: Int) -> BucketPair {
        BucketPair(first: Int(firsts[index]), second: Int(seconds[index]))
    }
}
