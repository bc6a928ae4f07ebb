import AllotCore

/// The cells and the places of the counts that the threads of a study share.
struct StudyLayout: Sendable {
    let function: any BucketingFunction
    let randomisations: [Randomisation]
    let maps: [CategoryMap]
    /// For each randomisation, whether one before it has the same salt, and thus the same buckets.
    let repeatsSalt: [Bool]
    let pooledCells: EqualCells
    let ownCells: EqualCells
    let jointCells: EqualCells
    /// The place of the first bit set of each randomisation, which has one for each category but the last.
    let bitSetOffsets: [Int]
    let bitSetCount: Int
    /// Where the cross table of each pair begins, without its last row and column.
    let pairOffsets: [Int]
    let crossCellCount: Int
    let countOffsets: [Int]
    let countCount: Int
    static let mostPooledCells = 1_000_000
    static let mostOwnCells = 1000
    static let mostJointCells = 10

    init(_ randomisations: [Randomisation], function: any BucketingFunction) {
        precondition((2...1 << 31).contains(function.bucketCount), "a function has 2 to 2^31 buckets")
        self.function = function
        self.randomisations = randomisations
        maps = randomisations.map { CategoryMap($0, for: function) }
        var seen: Set<Randomisation.HashedText> = []
        repeatsSalt = randomisations.map { !seen.insert($0.hashedText).inserted }
        pooledCells = EqualCells(atMost: Self.mostPooledCells, of: function.bucketCount)
        ownCells = EqualCells(atMost: Self.mostOwnCells, of: function.bucketCount)
        jointCells = EqualCells(atMost: Self.mostJointCells, of: function.bucketCount)

        func offsets(_ sizes: [Int]) -> (offsets: [Int], total: Int) {
            var total = 0
            let offsets = sizes.map { size in
                defer { total += size }
                return total
            }
            return (offsets, total)
        }
        let free = maps.map { $0.count - 1 }
        (bitSetOffsets, bitSetCount) = offsets(free)
        (countOffsets, countCount) = offsets(maps.map(\.count))
        let maps = maps
        (pairOffsets, crossCellCount) = offsets(
            maps.indices.flatMap { left in free[(left + 1)...].map { free[left] * $0 } })
    }

    /// Whether there are first buckets: those of experiments are tested even where they decide nothing.
    var usesFirst: Bool { function.hasEnrolmentBucket }
    func usesSecond(_ index: Int) -> Bool { !function.hasEnrolmentBucket || randomisations[index].decidedBy == .second }
    func usesBoth(_ index: Int) -> Bool { usesFirst && usesSecond(index) }

    /// Calls `body` for each pair of randomisations, in the order of ``pairOffsets``.
    func forEachPair(_ body: (_ left: Int, _ right: Int) -> Void) {
        for left in maps.indices {
            for right in (left + 1)..<max(maps.count, left + 1) { body(left, right) }
        }
    }
}

struct EqualCells: Sendable {
    let count: Int
    private let reciprocal: UInt64
    private let shift: UInt64

    /// As many cells as there can be, at most `limit`, of 1 to 2^31 buckets.
    init(atMost limit: Int, of bucketCount: Int) {
        count = Self.count(atMost: limit, of: bucketCount)
        // Division by multiplication: exact for buckets below `bucketCount`, as 2^shift > bucketCount × width.
        let width = UInt64(bucketCount / count)
        shift = UInt64(64 - (UInt64(bucketCount) * width).leadingZeroBitCount)
        reciprocal = ((1 << shift) + width - 1) / width
    }

    /// The greatest divisor of `whole` that is at most `limit`, at least 1.
    static func count(atMost limit: Int, of whole: Int) -> Int {
        stride(from: min(limit, whole), to: 1, by: -1).first { whole % $0 == 0 } ?? 1
    }

    @inline(__always)
    func cell(of bucket: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(bucket) &* reciprocal) &>> shift) }

    /// Counts in fewer cells, whose number divides that of the counts.
    static func merged(_ counts: ArraySlice<UInt32>, to cellCount: Int) -> [Int] {
        let width = counts.count / cellCount
        return (0..<cellCount).map { cell in
            let start = counts.startIndex + cell * width
            return counts[start..<start + width].reduce(0) { $0 + Int($1) }
        }
    }
}
