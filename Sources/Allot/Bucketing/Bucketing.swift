/// The bucketing algorithm, version `sha256/1`: how salt and unit ID become two buckets.
///
///     digest = SHA-256(salt ":" unitID)                      both as UTF-8 bytes, exactly as given
///     first  = (u40(digest[0..4]) * 1_000_000) >> 40          big-endian 40-bit integers
///     second = (u40(digest[5..9]) * 1_000_000) >> 40
///
/// A salt holds no ":", so the input is unambiguous. A unit ID is never trimmed, folded or normalised: "007", "7" and
/// "7 " are three units, and so are canonically equivalent texts with different bytes.
/// The *first* bucket of an experiment's salt decides enrolment (is it below the traffic?) and the *second* the
/// variant: one hash, two independent decisions. The first bucket of a layer's salt is the unit's slot, the first
/// bucket of a holdout's salt decides whether the unit is held out.
/// Golden answers are in `Experiments/vectors/bucketing.json` and `weights.json`.
public enum Bucketing {
    /// The number of equal shares that units fall into; buckets are `0 ..< 1_000_000`.
    public static let bucketCount = 1_000_000

    /// The name of this algorithm. A change that moves any unit gets another name.
    public static let hashVersion = "sha256/1"

    /// Scales 40 bits to a bucket: multiply and shift, which is exact in 64-bit integers and needs no modulo.
    @inline(__always)
    static func bucket(of bits: UInt64) -> Int {
        Int(truncatingIfNeeded: (bits &* UInt64(bucketCount)) &>> 40)
    }

    /// The buckets that the first three words of a digest give.
    @inline(__always)
    static func buckets(_ word0: UInt32, _ word1: UInt32, _ word2: UInt32) -> BucketPair {
        let (word0, word1, word2) = (UInt64(word0), UInt64(word1), UInt64(word2))
        return BucketPair(
            first: bucket(of: word0 << 8 | word1 >> 24), second: bucket(of: (word1 & 0xFF_FFFF) << 16 | word2 >> 16))
    }
}

/// The two buckets of one unit under one salt.
public struct BucketPair: Sendable, Hashable {
    /// Decides enrolment, a layer's slot, or a holdout.
    public let first: Int
    /// Decides the variant.
    public let second: Int

    package init(first: Int, second: Int) {
        self.first = first
        self.second = second
    }
}
