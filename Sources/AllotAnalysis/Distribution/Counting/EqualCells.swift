/// Equal cells that the buckets are counted in.
struct EqualCells: Sendable {
    /// The number of cells, which divides the number of buckets.
    let count: Int
    private let reciprocal: UInt64
    private let shift: UInt64

    /// As many cells as there can be, at most `limit`.
    ///
    /// - Parameter bucketCount: 1 to 2^31.
    init(atMost limit: Int, of bucketCount: Int) {
        count = Self.count(atMost: limit, of: bucketCount)
        // Division by multiplication: exact for buckets below `bucketCount`, as 2^shift > bucketCount × width.
        let width = UInt64(bucketCount / count)
        shift = UInt64(64 - (UInt64(bucketCount) * width).leadingZeroBitCount)
        reciprocal = ((1 << shift) + width - 1) / width
    }

    /// The greatest divisor of `whole` that is at most `limit`, at least 1.
    static func count(atMost limit: Int, of whole: Int) -> Int {
        var best = 1
        var divisor = 1
        while divisor * divisor <= whole {
            if whole % divisor == 0 {
                if divisor <= limit { best = max(best, divisor) }
                if whole / divisor <= limit { best = max(best, whole / divisor) }
            }
            divisor += 1
        }
        return best
    }

    /// The cell of a bucket.
    @inline(__always)
    func cell(of bucket: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(bucket) &* reciprocal) &>> shift)
    }

    /// Counts in fewer cells: sums of neighbours.
    ///
    /// - Parameter cellCount: a divisor of the number of counts.
    static func merged(_ counts: ArraySlice<UInt32>, to cellCount: Int) -> [Int] {
        let width = counts.count / cellCount
        let counts = counts.span
        return (0..<cellCount).map { cell in
            var sum = 0
            var index = cell * width
            let end = index + width
            while index < end {
                sum += Int(counts[index])
                index += 1
            }
            return sum
        }
    }
}
