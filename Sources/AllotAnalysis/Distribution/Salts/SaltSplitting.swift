import Allot

/// Splits the same units in two halves under each of many salts.
struct SaltSplitting: Sendable {
    let function: any BucketingFunction
    let units: [UnitBlock]
    let saltCount: Int
    let seed: UInt64

    /// So many salts are split by one task before it takes the next ones.
    private static let batchSize = 16

    /// The trial; `nil` without salts or units.
    func trial(taskCount: Int, progress: @escaping @Sendable (Int) -> Void) async -> SaltTrial? {
        let unitCount = units.reduce(0) { $0 + $1.count }
        guard saltCount > 0, unitCount > 0, function.bucketCount > 1 else { return nil }
        let half = function.bucketCount / 2
        let counts = await counts(below: UInt32(half), taskCount: taskCount) { progress($0 * unitCount) }
        return SaltTrial(
            counts: counts, unitCount: unitCount, share: Double(half) / Double(function.bucketCount), seed: seed)
    }

    /// For each salt the number of units whose second bucket is below `half`.
    private func counts(
        below half: UInt32, taskCount: Int, progress: @escaping @Sendable (Int) -> Void
    ) async -> [Int] {
        await withTaskGroup(of: (Int, [Int]).self) { group in
            var batches = stride(from: 0, to: saltCount, by: Self.batchSize).makeIterator()
            func addNext() {
                guard let start = batches.next() else { return }
                let salts = start..<min(start + Self.batchSize, saltCount)
                group.addTask {
                    let counts = counts(of: salts, below: half)
                    progress(salts.count)
                    return (start, counts)
                }
            }
            for _ in 0..<max(taskCount, 1) { addNext() }
            var all = [Int](repeating: 0, count: saltCount)
            for await (start, counts) in group {
                all.replaceSubrange(start..<start + counts.count, with: counts)
                addNext()
            }
            return all
        }
    }

    private func counts(of salts: Range<Int>, below half: UInt32) -> [Int] {
        var buckets = UnitBuckets(count: units.map(\.count).max() ?? 0)
        // Always a salt: letters, digits and hyphens.
        return salts.compactMap { Salt("aa-\(seed)-\($0)") }.map { salt in
            units.reduce(0) { sum, block in
                function.fill(&buckets, for: block, under: salt)
                let seconds = buckets.second.span
                var count = sum
                for index in 0..<block.count where seconds[index] < half { count &+= 1 }
                return count
            }
        }
    }
}
