/// The decimal digits of a bucket.
///
/// Public for other modules of this package alone, like `AttributeValue`.
@_spi(Groups) public enum BucketDigits {
    /// The digits of a bucket from 0 to 999999, with the first one in the lowest byte, and their number.
    @inlinable @inline(__always)
    public static func of(_ bucket: Int) -> (text: UInt64, count: Int) {
        let digits = sixDigits(bucket)
        let zeros = min(digits.trailingZeroBitCount / 8, 5)
        return ((digits | 0x3030_3030_3030) &>> UInt64(zeros * 8), 6 &- zeros)
    }

    /// The last six digits of a larger bucket, zeros before it included.
    package static func lastSix(of bucket: Int) -> UInt64 {
        sixDigits(bucket % Bucketing.bucketCount) | 0x3030_3030_3030
    }

    @inlinable @inline(__always)
    static func sixDigits(_ bucket: Int) -> UInt64 {
        let bucket = UInt32(truncatingIfNeeded: bucket)
        return threeDigits(bucket / 1000) | (threeDigits(bucket % 1000) &<< 24)
    }

    /// The digits of a number below 1000, one byte each. Multiplication by a reciprocal replaces division; it is exact
    /// for these numbers (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
    @inlinable @inline(__always)
    static func threeDigits(_ number: UInt32) -> UInt64 {
        let hundreds = (number &* 41) &>> 12
        let rest = number &- hundreds &* 100
        let tens = (rest &* 103) &>> 10
        return UInt64(hundreds | (tens &<< 8) | ((rest &- tens &* 10) &<< 16))
    }
}
