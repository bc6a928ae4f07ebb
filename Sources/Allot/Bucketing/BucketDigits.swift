/// The decimal digits of a bucket.
package enum BucketDigits {
    /// The digits of a bucket, 0 to 999999, the first one in the lowest byte, and how many they are.
    @inlinable @inline(__always)
    package static func of(_ bucket: Int) -> (text: UInt64, count: Int) {
        let bucket = UInt32(truncatingIfNeeded: bucket)
        let digits = threeDigits(bucket / 1000) | (threeDigits(bucket % 1000) &<< 24)
        let zeros = min(digits.trailingZeroBitCount / 8, 5)
        return ((digits | 0x3030_3030_3030) &>> UInt64(zeros * 8), 6 &- zeros)
    }

    /// The digits of a number below 1000, a byte for each. Multiplications by reciprocals, which are exact in these
    /// ranges.
    @inlinable @inline(__always)
    package static func threeDigits(_ number: UInt32) -> UInt64 {
        let hundreds = (number &* 41) &>> 12
        let rest = number &- hundreds &* 100
        let tens = (rest &* 103) &>> 10
        return UInt64(hundreds | (tens &<< 8) | ((rest &- tens &* 10) &<< 16))
    }
}
