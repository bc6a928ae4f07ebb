/// The division of all second buckets among variants in proportion to their weights.
///
/// ```swift
/// // Weights 1 and 2: a third and two thirds of the buckets.
/// let ranges = Weights.ranges(millionths: [1_000_000, 2_000_000])  // [0..<333333, 333333..<1000000]
/// ```
public enum Weights {
    /// The bucket range of each variant. A weight of 0 has an empty range.
    ///
    /// With *T* the sum of all weights and *C* the sum up to and including a variant, that variant's range ends at
    /// floor((*C* × 10⁶ + floor(*T* / 2)) / *T*), the nearest bucket, computed with integers only.
    ///
    /// - Parameter millionths: each weight × 10⁶, a whole number.
    /// - Returns: `nil` if no weight is above 0.
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

    /// The largest weight, 10¹², times 10⁶: small enough that sums stay exact.
    package static let maximumMillionths: UInt64 = 1_000_000_000_000_000_000
}
