/// The counts of one thread. Sums of whole numbers: the order in which tallies are added does not matter.
struct StudyTally: Sendable {
    private let layout: StudyLayout
    private(set) var unitCount = 0
    private(set) var categoryCounts: [Int]
    /// The first, then the second buckets of all randomisations with different salts.
    private(set) var pooled: [UInt32]
    /// For each randomisation the first, then the second buckets.
    private(set) var own: [UInt32]
    /// For each randomisation the parts of the first and second bucket together.
    private(set) var joint: [UInt32]
    /// For each pair of randomisations the categories together, but for the last ones.
    private(set) var cross: [UInt32]
    private var buckets = UnitBuckets(count: 0)
    private var inWindow = UnitBlock()
    private var categories: [UInt16] = []
    private var bitSets: [UInt64] = []

    init(_ layout: StudyLayout) {
        self.layout = layout
        let count = layout.maps.count
        categoryCounts = Array(repeating: 0, count: layout.countCount)
        pooled = Array(repeating: 0, count: 2 * layout.pooledCells.count)
        own = Array(repeating: 0, count: count * 2 * layout.ownCells.count)
        joint = Array(repeating: 0, count: count * layout.jointCells.count * layout.jointCells.count)
        cross = Array(repeating: 0, count: layout.crossCellCount)
    }

    mutating func add(_ units: UnitBlock) {
        let wordCount = (units.count + 63) / 64
        unitCount += units.count
        buckets.reserve(units.count)
        if categories.count < units.count { categories = Array(repeating: 0, count: units.count) }
        let bitCount = layout.bitSetCount * wordCount
        if bitSets.count < bitCount { bitSets = Array(repeating: 0, count: bitCount) }
        for index in layout.maps.indices {
            fill(units, layout.randomisations[index])
            countBuckets(of: index, unitCount: units.count)
            layout.maps[index].fill(&categories, count: units.count, from: buckets)
            BitSets.fill(
                &bitSets, at: layout.bitSetOffsets[index] * wordCount, wordCount: wordCount,
                setCount: layout.maps[index].count - 1, from: categories, count: units.count)
            countCategories(of: index, wordCount: wordCount, unitCount: units.count)
        }
        BitSets.countMeetings(&cross, of: bitSets, wordCount: wordCount, layout: layout)
    }

    /// Finds the buckets of a randomisation: in a window of a period those of the IDs with its number.
    private mutating func fill(_ units: UnitBlock, _ randomisation: Randomisation) {
        guard let number = randomisation.hashedText.window
        else { return layout.function.fill(&buckets, for: units, under: randomisation.hash) }
        inWindow.replace(with: units, followedBy: Array("@\(number)".utf8))
        layout.function.fill(&buckets, for: inWindow, under: randomisation.hash)
        guard randomisation.isMirrored else { return }
        let last = UInt32(layout.function.bucketCount - 1)
        for index in 0..<units.count { buckets.second[index] = last - buckets.second[index] }
    }

    mutating func add(_ other: StudyTally) {
        unitCount += other.unitCount
        for index in categoryCounts.indices { categoryCounts[index] += other.categoryCounts[index] }
        Self.add(other.pooled, to: &pooled)
        Self.add(other.own, to: &own)
        Self.add(other.joint, to: &joint)
        Self.add(other.cross, to: &cross)
    }

    private static func add(_ counts: [UInt32], to sums: inout [UInt32]) {
        for index in sums.indices { sums[index] += counts[index] }
    }

    private mutating func countCategories(of index: Int, wordCount: Int, unitCount: Int) {
        let offset = layout.countOffsets[index]
        let last = layout.maps[index].count - 1
        var rest = unitCount
        for category in 0..<last {
            let start = (layout.bitSetOffsets[index] + category) * wordCount
            let count = BitSets.count(bitSets, start..<start + wordCount)
            categoryCounts[offset + category] += count
            rest -= count
        }
        categoryCounts[offset + last] += rest
    }

    private mutating func countBuckets(of index: Int, unitCount: Int) {
        let (ownCells, pooledCells) = (layout.ownCells, layout.pooledCells)
        for (place, isUsed) in [layout.usesFirst, layout.usesSecond(index)].enumerated() where isUsed {
            let values = place == 0 ? buckets.first : buckets.second
            Self.count(values, unitCount, in: ownCells, &own, at: (2 * index + place) * ownCells.count)
            guard !layout.repeatsSalt[index] else { continue }
            Self.count(values, unitCount, in: pooledCells, &pooled, at: place * pooledCells.count)
        }
        if layout.usesBoth(index) {
            let offset = index * layout.jointCells.count * layout.jointCells.count
            Self.count(buckets, unitCount, in: layout.jointCells, &joint, at: offset)
        }
    }

    private static func count(
        _ buckets: UnitBuckets, _ unitCount: Int, in cells: EqualCells, _ counts: inout [UInt32], at offset: Int
    ) {
        var counts = counts.mutableSpan
        let (firsts, seconds) = (buckets.first.span, buckets.second.span)
        for unit in 0..<unitCount {
            counts[offset &+ cells.cell(of: firsts[unit]) &* cells.count &+ cells.cell(of: seconds[unit])] &+= 1
        }
    }

    private static func count(
        _ buckets: [UInt32], _ unitCount: Int, in cells: EqualCells, _ counts: inout [UInt32], at offset: Int
    ) {
        var counts = counts.mutableSpan
        let buckets = buckets.span
        for unit in 0..<unitCount { counts[offset &+ cells.cell(of: buckets[unit])] &+= 1 }
    }
}
