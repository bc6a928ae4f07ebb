import AllotCore

/// The arms of an experiment by bucket: which units a salt enrols, and into which variant.
struct ArmBuckets: Sendable {
    /// The indices of the variants that own buckets.
    let variants: [Int]
    private var traffic: UInt32
    /// Where the owner of second buckets changes, and the arm before each change and after the last one.
    private var bounds: [UInt32] = []
    private var owners: [UInt8] = []

    static let mostArms = 100

    /// The arms of an experiment, with the last share of its traffic.
    init(_ experiment: Plan.Experiment) {
        variants = experiment.variants.indices.filter { experiment.variants[$0].bucketCount > 0 }
        traffic = UInt32(experiment.traffic.steps.last?.share ?? experiment.traffic.initial)
        let none = UInt8(variants.count)
        let ranges = variants.enumerated().flatMap { arm, index in
            experiment.variants[index].buckets.map { ($0, UInt8(arm)) }
        }
        var end = 0
        for (range, arm) in ranges.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            if range.lowerBound > end { add(none, upTo: range.lowerBound) }
            add(arm, upTo: range.upperBound)
            end = range.upperBound
        }
        owners.append(none)
    }

    private mutating func add(_ arm: UInt8, upTo end: Int) {
        owners.append(arm)
        bounds.append(UInt32(end))
    }

    /// The arms among units that are enrolled, in proportion to their buckets: each unit is in one of them.
    ///
    /// Given that some variant owns the second bucket of a unit, it is any of the owned ones.
    func amongEnrolled() -> ArmBuckets {
        var arms = self
        (arms.traffic, arms.bounds, arms.owners) = (UInt32(Bucketing.bucketCount), [], [])
        let lengths = zip(zip([0] + bounds, bounds), owners).map { range, owner in
            Int(owner) == count ? 0 : Int(range.1 - range.0)
        }
        let owned = lengths.reduce(0, +)
        var end = 0
        for (length, owner) in zip(lengths, owners) where length > 0 {
            end += length
            arms.add(owner, upTo: end * Bucketing.bucketCount / owned)
        }
        arms.owners.append(UInt8(count))
        return arms
    }

    /// The number of arms, which also stands for a unit that is in none.
    var count: Int { variants.count }

    /// Writes the arm of each of the first units.
    func write(_ count: Int, _ buckets: borrowing UnitBuckets, to arms: inout [UInt8]) {
        let none = UInt8(self.count)
        let (firsts, seconds, bounds, owners) = (buckets.first.span, buckets.second.span, bounds.span, owners.span)
        var arms = arms.mutableSpan
        for unit in 0..<count {
            let second = seconds[unit]
            // Few ranges, of which none is likelier: counting takes less time than a search.
            var place = 0
            for index in bounds.indices { place &+= second >= bounds[index] ? 1 : 0 }
            let isEnrolled = firsts[unit] < traffic
            arms[unit] = isEnrolled ? owners[place] : none
        }
    }
}

/// The sums of columns over the units of each arm, under many salts.
///
/// The work of a salt is a hash and an addition of a row for each unit. Blocks of units stay in the caches while a
/// batch of salts goes through them, and nothing is kept of a salt but its sums.
struct ArmSums: Sendable {
    /// The sums of one salt.
    struct Sums: Sendable {
        /// The number of units of each arm.
        var counts: [Double]
        /// The sums of each arm.
        var sums: [[Double]]
    }

    /// Units that fit into the caches with what they add.
    private struct Block: Sendable {
        let units: UnitBlock
        /// One unit after another, in vectors.
        var numbers: [SIMD4<Double>]
        var levels: [UInt16] = []
    }

    /// Sums so far; one arm more is for those in none, so that nothing branches.
    private struct Tally {
        var numbers: [SIMD4<Double>]
        /// Counts by arm: of its levels, and then of its units.
        var counts: [Int]
    }

    let arms: ArmBuckets
    private let blocks: [Block]
    /// The numbers of columns, of vectors of a unit, and of texts.
    private let (numberCount, vectors, texts, levelCount): (Int, Int, Int, Int)

    static let blockLength = 4096
    private static let batch = 8

    /// - Parameter units: The units in blocks of ``blockLength``, the last one of fewer.
    init(_ units: [UnitBlock], _ columns: SummedColumns, arms: ArmBuckets) {
        self.arms = arms
        let vectors = (columns.numbers.count + 3) / 4
        (numberCount, levelCount) = (columns.numbers.count, columns.levelCount)
        (self.vectors, texts) = (vectors, columns.levels.count)
        var start = 0
        blocks = units.map { units in
            var block = Block(units: units, numbers: Array(repeating: .zero, count: units.count * vectors))
            for unit in 0..<units.count {
                for (column, numbers) in columns.numbers.enumerated() {
                    block.numbers[unit * vectors + column / 4][column % 4] = numbers[start + unit]
                }
                for levels in columns.levels { block.levels.append(levels[start + unit]) }
            }
            start += units.count
            return block
        }
    }

    /// The arm of each unit under a salt.
    func arms(under salt: Salt) -> [UInt8] {
        let hash = UnitHash.sha256(salt)
        var buckets = UnitBuckets(count: Self.blockLength)
        var arms = [UInt8](repeating: 0, count: Self.blockLength)
        return blocks.flatMap { block in
            AllotBucketing().fill(&buckets, for: block.units, under: hash)
            self.arms.write(block.units.count, buckets, to: &arms)
            return arms[..<block.units.count]
        }
    }

    /// The sums under salts, in their order.
    func sums(
        under salts: [Salt], taskCount: Int, progress: @escaping @Sendable (_ hashCount: Int) -> Void
    ) async throws -> [Sums] {
        try await withThrowingTaskGroup(of: (Int, [Sums]).self) { group in
            var starts = stride(from: 0, to: salts.count, by: Self.batch).makeIterator()
            func addNext() {
                guard let start = starts.next() else { return }
                let part = Array(salts[start..<min(start + Self.batch, salts.count)])
                group.addTask {
                    try Task.checkCancellation()
                    let sums = sums(of: part)
                    progress(part.count * blocks.reduce(0) { $0 + $1.units.count })
                    return (start, sums)
                }
            }
            for _ in 0..<max(taskCount, 1) { addNext() }
            var parts: [Int: [Sums]] = [:]
            for try await (start, sums) in group {
                parts[start] = sums
                addNext()
            }
            return parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    /// The sums of units whose arms are known.
    func sums(of known: [UInt8]) -> Sums {
        var tally = emptyTally
        var start = 0
        for block in blocks {
            add(block, Array(known[start..<start + block.units.count]), to: &tally)
            start += block.units.count
        }
        return sums(tally)
    }

    private func sums(of salts: [Salt]) -> [Sums] {
        var tallies = Array(repeating: emptyTally, count: salts.count)
        var buckets = UnitBuckets(count: Self.blockLength)
        var armOfUnit = [UInt8](repeating: 0, count: Self.blockLength)
        for block in blocks {
            for index in salts.indices {
                AllotBucketing().fill(&buckets, for: block.units, under: .sha256(salts[index]))
                arms.write(block.units.count, buckets, to: &armOfUnit)
                add(block, armOfUnit, to: &tallies[index])
            }
        }
        return tallies.map(sums)
    }

    private var emptyTally: Tally {
        let count = arms.count + 1
        return Tally(
            numbers: Array(repeating: .zero, count: count * vectors),
            counts: Array(repeating: 0, count: count * (levelCount + 1)))
    }

    private func sums(_ tally: Tally) -> Sums {
        let counts = (0..<arms.count).map { arm in
            tally.counts[arm * (levelCount + 1)..<(arm + 1) * (levelCount + 1)].map(Double.init)
        }
        return Sums(
            counts: counts.map { $0[levelCount] },
            sums: counts.enumerated().map { arm, counts in
                (0..<numberCount).map { tally.numbers[arm * vectors + $0 / 4][$0 % 4] } + counts.dropLast()
            })
    }

    private func add(_ block: Block, _ arms: [UInt8], to tally: inout Tally) {
        add(block, arms.span, numbers: &tally.numbers)
        add(block, arms.span, counts: &tally.counts)
    }

    private func add(_ block: Block, _ arms: Span<UInt8>, numbers: inout [SIMD4<Double>]) {
        let (vectors, rows) = (vectors, block.numbers.span)
        var numbers = numbers.mutableSpan
        for unit in 0..<block.units.count {
            let arm = Int(arms[unit])
            for vector in 0..<vectors { numbers[arm &* vectors &+ vector] += rows[unit &* vectors &+ vector] }
        }
    }

    private func add(_ block: Block, _ arms: Span<UInt8>, counts: inout [Int]) {
        let (texts, width, places) = (texts, levelCount + 1, block.levels.span)
        var counts = counts.mutableSpan
        for unit in 0..<block.units.count {
            let start = Int(arms[unit]) &* width
            counts[start &+ width &- 1] &+= 1
            for text in 0..<texts { counts[start &+ Int(places[unit &* texts &+ text])] &+= 1 }
        }
    }
}
