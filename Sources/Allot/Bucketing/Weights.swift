/// The division of all second buckets among variants in proportion to their weights.
public enum Weights {
    /// The bucket range of each variant; a weight of 0 gets an empty range.
    ///
    /// With *T* the sum of the weights and *C* the sum up to a variant, a variant ends at
    /// floor((*C* × 10⁶ + floor(*T* / 2)) / *T*): rounded to the nearest bucket, in integers throughout.
    ///
    /// - Parameter millionths: each weight × 10⁶, a whole number.
    /// - Returns: `nil` when no weight is above 0.
    public static func ranges(millionths: [UInt64]) -> [Range<Int>]? {
        let total = millionths.reduce(UInt128(0)) { $0 + UInt128($1) }
        guard total > 0 else { return nil }
        var sum: UInt128 = 0
        var start = 0
        return millionths.map { weight in
            sum += UInt128(weight)
            let end = Int((sum * UInt128(Bucketing.bucketCount) + total / 2) / total)
            defer { start = end }
            return start..<end
        }
    }

    /// The largest weight: 10¹², far beyond any use and small enough that sums stay exact.
    package static let maximumMillionths: UInt64 = 1_000_000_000_000_000_000
}
