import Allot

/// What the threads of a study share: what is counted, and where the counts stand.
struct StudyLayout: Sendable {
    let function: any BucketingFunction
    let randomisations: [Randomisation]
    let maps: [CategoryMap]
    /// For each randomisation, whether one before it has the same salt, and thus the same buckets.
    let repeatsSalt: [Bool]

    /// The cells that all randomisations together are counted in.
    let pooledCells: EqualCells
    /// The cells that each randomisation is counted in by itself.
    let ownCells: EqualCells
    /// The parts of the first and of the second bucket whose independence is tested.
    let jointCells: EqualCells

    /// Where the bit sets of a randomisation begin, one for each category but the last, counted in bit sets.
    let bitSetOffsets: [Int]
    let bitSetCount: Int
    /// Where the cross table of each pair begins, without its last row and column.
    let pairOffsets: [Int]
    let crossCellCount: Int
    /// Where the counts of a randomisation's categories begin.
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
        var seen: Set<Salt> = []
        repeatsSalt = randomisations.map { !seen.insert($0.salt).inserted }
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
    var usesFirst: Bool {
        function.hasEnrolmentBucket
    }

    /// Whether the second bucket of a randomisation decides something.
    func usesSecond(_ index: Int) -> Bool {
        !function.hasEnrolmentBucket || randomisations[index].decidedBy == .second
    }

    /// Whether both do, so that they must be independent.
    func usesBoth(_ index: Int) -> Bool {
        usesFirst && usesSecond(index)
    }

    /// Calls `body` for each pair of randomisations, in the order of ``pairOffsets``.
    func forEachPair(_ body: (_ left: Int, _ right: Int) -> Void) {
        for left in maps.indices {
            for right in (left + 1)..<max(maps.count, left + 1) { body(left, right) }
        }
    }
}
