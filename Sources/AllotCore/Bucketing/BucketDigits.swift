/// The decimal digits of a bucket.
///
/// Public for other modules of this package alone, like `AttributeValue`.
@_spi(Groups) public enum BucketDigits {
    /// The number of bytes that writing a bucket takes: up to 12 digits, and two bytes that follow them.
    @inlinable @inline(__always) public static var room: Int { 14 }

    /// Writes the digits of a bucket, and perhaps bytes without a meaning after them. Returns the number of digits.
    @inlinable @inline(__always) public static func store(_ bucket: Int, at target: UnsafeMutableRawPointer) -> Int {
        if bucket >= Bucketing.bucketCount { return storeLong(bucket, at: target) }
        let digits = of(bucket)
        target.storeBytes(of: digits.text.littleEndian, as: UInt64.self)
        return digits.count
    }

    /// Writes a bucket of another system's hash: its first digits, and six after them.
    @usableFromInline @inline(never) static func storeLong(_ bucket: Int, at target: UnsafeMutableRawPointer) -> Int {
        let first = store(bucket / Bucketing.bucketCount, at: target)
        let last = sixDigits(bucket % Bucketing.bucketCount) | 0x3030_3030_3030
        target.storeBytes(of: last.littleEndian, toByteOffset: first, as: UInt64.self)
        return first &+ 6
    }

    /// The digits of a bucket from 0 to 999999, with the first one in the lowest byte, and their number.
    @inlinable @inline(__always) static func of(_ bucket: Int) -> (text: UInt64, count: Int) {
        let digits = sixDigits(bucket)
        let zeros = min(digits.trailingZeroBitCount / 8, 5)
        return ((digits | 0x3030_3030_3030) &>> UInt64(zeros * 8), 6 &- zeros)
    }

    @inlinable @inline(__always) static func sixDigits(_ bucket: Int) -> UInt64 {
        let bucket = UInt32(truncatingIfNeeded: bucket)
        return threeDigits(bucket / 1000) | (threeDigits(bucket % 1000) &<< 24)
    }

    /// The digits of a number below 1000, one byte each. Multiplication by a reciprocal replaces division; it is exact
    /// for these numbers (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994).
    @inlinable @inline(__always) static func threeDigits(_ number: UInt32) -> UInt64 {
        let hundreds = (number &* 41) &>> 12
        let rest = number &- hundreds &* 100
        let tens = (rest &* 103) &>> 10
        return UInt64(hundreds | (tens &<< 8) | ((rest &- tens &* 10) &<< 16))
    }
}
