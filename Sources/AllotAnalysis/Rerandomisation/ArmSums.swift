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
        /// The sums of each arm, one after another.
        var sums: [Double]
    }

    let arms: ArmBuckets
    private let units: [UnitBlock]
    /// By block the rows of its units, in vectors.
    private let rows: [[SIMD4<Double>]]
    private let vectors: Int

    static let blockLength = 4096
    private static let batch = 8

    /// The number of sums of each arm.
    var stride: Int { vectors * 4 }

    /// - Parameters:
    ///   - units: The units in blocks of ``blockLength``, the last one of fewer.
    ///   - rows: Their values, one unit after another.
    ///   - width: The number of values of each unit.
    init(_ units: [UnitBlock], rows values: [Double], width: Int, arms: ArmBuckets) {
        (self.units, self.arms) = (units, arms)
        let vectors = (width + 3) / 4
        self.vectors = vectors
        var start = 0
        rows = units.map { block in
            var rows = [SIMD4<Double>](repeating: .zero, count: block.count * vectors)
            for unit in 0..<block.count {
                for column in 0..<width {
                    rows[unit * vectors + column / 4][column % 4] = values[(start + unit) * width + column]
                }
            }
            start += block.count
            return rows
        }
    }

    /// The arm of each unit under a salt.
    func arms(under salt: Salt) -> [UInt8] {
        let hash = UnitHash.sha256(salt)
        var buckets = UnitBuckets(count: Self.blockLength)
        var arms = [UInt8](repeating: 0, count: Self.blockLength)
        return units.flatMap { block in
            AllotBucketing().fill(&buckets, for: block, under: hash)
            self.arms.write(block.count, buckets, to: &arms)
            return arms[..<block.count]
        }
    }

    /// The sums under salts, in their order.
    func sums(
        under salts: [Salt], taskCount: Int, progress: @escaping @Sendable (_ hashCount: Int) -> Void
    ) async throws -> [Sums] {
        try await withThrowingTaskGroup(of: (Int, [Sums]).self) { group in
            var starts = Swift.stride(from: 0, to: salts.count, by: Self.batch).makeIterator()
            func addNext() {
                guard let start = starts.next() else { return }
                let part = Array(salts[start..<min(start + Self.batch, salts.count)])
                group.addTask {
                    try Task.checkCancellation()
                    let sums = sums(of: part)
                    progress(part.count * units.reduce(0) { $0 + $1.count })
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
        var totals = [SIMD4<Double>](repeating: .zero, count: (arms.count + 1) * vectors)
        var counts = [Int](repeating: 0, count: arms.count + 1)
        var start = 0
        for (block, rows) in zip(units, rows) {
            add(block.count, Array(known[start..<start + block.count]), rows, to: &totals, &counts)
            start += block.count
        }
        return sums(totals, counts)
    }

    private func sums(of salts: [Salt]) -> [Sums] {
        // One more for the units in no arm, so that nothing branches.
        var totals = [[SIMD4<Double>]](
            repeating: Array(repeating: .zero, count: (arms.count + 1) * vectors), count: salts.count)
        var counts = [[Int]](repeating: Array(repeating: 0, count: arms.count + 1), count: salts.count)
        var buckets = UnitBuckets(count: Self.blockLength)
        var armOfUnit = [UInt8](repeating: 0, count: Self.blockLength)
        for (block, rows) in zip(units, rows) {
            for index in salts.indices {
                AllotBucketing().fill(&buckets, for: block, under: .sha256(salts[index]))
                arms.write(block.count, buckets, to: &armOfUnit)
                add(block.count, armOfUnit, rows, to: &totals[index], &counts[index])
            }
        }
        return zip(totals, counts).map(sums)
    }

    private func sums(_ totals: [SIMD4<Double>], _ counts: [Int]) -> Sums {
        Sums(
            counts: counts[..<arms.count].map(Double.init),
            sums: totals[..<(arms.count * vectors)].flatMap { [$0[0], $0[1], $0[2], $0[3]] })
    }

    private func add(
        _ count: Int, _ arms: [UInt8], _ rows: [SIMD4<Double>], to totals: inout [SIMD4<Double>], _ counts: inout [Int]
    ) {
        let (arms, rows, vectors) = (arms.span, rows.span, vectors)
        var totals = totals.mutableSpan
        var counts = counts.mutableSpan
        for unit in 0..<count {
            let arm = Int(arms[unit])
            counts[arm] &+= 1
            for vector in 0..<vectors { totals[arm &* vectors &+ vector] += rows[unit &* vectors &+ vector] }
        }
    }
}
