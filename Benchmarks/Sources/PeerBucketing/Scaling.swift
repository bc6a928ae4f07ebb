/// How systems that have no number of buckets of their own are given one: multiply and shift.
enum Scaling {
    /// The number of equal parts that stands for "as fine as it gets"; Allot's own.
    static let fineBucketCount = 1_000_000

    /// The bucket of 32 bits.
    @inline(__always)
    static func bucket(of bits: UInt32, count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(bits) &* UInt64(count)) &>> 32)
    }

    /// The bucket of a fraction from 0 to 1; 1 itself, which some systems can reach, is in the last one.
    @inline(__always)
    static func bucket(of fraction: Double, count: Int) -> UInt32 {
        UInt32(min(fraction * Double(count), Double(count - 1)))
    }
}
