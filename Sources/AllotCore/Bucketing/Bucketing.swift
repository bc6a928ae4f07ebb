/// The bucketing algorithm, version `sha256/1`, which turns a salt and a unit ID into two buckets.
///
///     digest = SHA-256(salt ":" unitID)                      both as UTF-8 bytes, exactly as given
///     first  = (u40(digest[0..4]) * 1_000_000) >> 40          big-endian 40-bit integers
///     second = (u40(digest[5..9]) * 1_000_000) >> 40
///
/// A salt contains no ":", so the input is unambiguous. A unit ID is never trimmed, folded or normalised: "007", "7"
/// and "7 " are three units, and so are canonically equivalent texts with different bytes.
///
/// The *first* bucket of an experiment's salt decides enrolment (whether it is below the traffic) and the *second*
/// decides the variant: one hash, two independent decisions. The first bucket of a layer's salt is the unit's slot. The
/// first bucket of a holdout's salt decides whether the unit is held out.
///
/// ```swift
/// if let salt = Salt("checkout-button") {
///     let buckets = SaltedHash(salt).buckets(of: "user-42")
///     print(buckets.first < 100_000 ? "enrolled at 10% traffic" : "not enrolled", buckets.second)
/// }
/// ```
///
/// Other implementations find golden values in `Experiments/vectors/bucketing.json` and `weights.json`.
public enum Bucketing {
    /// The number of buckets, which are equal shares of all units: `0 ..< 1_000_000`.
    public static let bucketCount = 1_000_000
    /// The name of this algorithm. A change that reassigns any unit gets another name.
    package static let hashVersion = "sha256/1"

    /// Scales 40 bits to a bucket by multiplication and shift, exact in 64-bit integers and without a modulo. Lemire,
    /// "Fast Random Integer Generation in an Interval", 2019, without its rejection step: the shares of two buckets
    /// differ by less than one in a million.
    @inline(__always) static func bucket(of bits: UInt64) -> Int {
        Int(truncatingIfNeeded: (bits &* UInt64(bucketCount)) &>> 40)
    }

    /// The buckets in the first three words of a digest.
    @inline(__always) static func buckets(_ word0: UInt32, _ word1: UInt32, _ word2: UInt32) -> BucketPair {
        let (word0, word1, word2) = (UInt64(word0), UInt64(word1), UInt64(word2))
        return BucketPair(
            first: bucket(of: word0 << 8 | word1 >> 24), second: bucket(of: (word1 & 0xFF_FFFF) << 16 | word2 >> 16))
    }
}

/// The two buckets of a unit under a salt.
public struct BucketPair: Sendable, Hashable {
    /// Decides enrolment, a layer's slot or a holdout.
    public let first: Int
    /// Decides the variant.
    public let second: Int

    package init(first: Int, second: Int) { (self.first, self.second) = (first, second) }
}

extension Bucketing {
    /// The number of unit IDs that are hashed together. Their blocks fit into the core's first-level cache.
    private static let queueLength = 64

    /// Computes the buckets of many unit IDs under one salt, at about half the cost of hashing them one by one.
    ///
    /// Complexity: O(*n*) hashes. Allocates once per call, not per unit ID.
    ///
    /// - Parameters:
    ///   - firsts: receives the first buckets; at least as long as `ends`.
    ///   - seconds: receives the second buckets; at least as long as `ends`.
    ///   - bytes: the unit IDs in UTF-8, one after another.
    ///   - ends: the end of each unit ID in `bytes`, where the next one begins.
    ///   - salt: the salt of all of them.
    public static func fill(
        _ firsts: inout [UInt32], _ seconds: inout [UInt32], of bytes: Span<UInt8>, ends: Span<Int>,
        under salt: SaltedHash
    ) {
        var firsts = firsts.mutableSpan
        var seconds = seconds.mutableSpan
        var queue = HashQueue(capacity: queueLength)
        var start = 0
        while start < ends.count {
            let count = min(queueLength, ends.count - start)
            queue.removeAll()
            queue.append(count, from: bytes, under: salt) { offset in
                let index = start &+ offset
                return (index == 0 ? 0 : ends[index &- 1])..<ends[index]
            }
            queue.hash()
            queue.copy(to: &firsts, &seconds, from: start)
            start += count
        }
    }
}
