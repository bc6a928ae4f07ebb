import AllotCore

/// How a system turns a salt and a unit ID into buckets, for the tests of its distribution.
///
/// ``AllotBucketing`` is Allot's. Make another system conform to put it through the same tests. The function is called
/// once for thousands of unit IDs, from several threads, so that the loop over them can be as fast as the system is:
///
///     struct CRC32Bucketing: BucketingFunction {
///         let name = "CRC32"
///         let bucketCount = 1_000_000
///         let hasEnrolmentBucket = false
///
///         func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash) {
///             for index in 0..<units.count {
///                 let unitID = units.bytes[units[index]]
///                 buckets.second[index] = …
///             }
///         }
///     }
public protocol BucketingFunction: Sendable {
    /// The system's name, for reports.
    var name: String { get }
    /// The number of equally likely buckets, 2 to 2^31.
    var bucketCount: Int { get }
    /// Whether the first bucket decides enrolment and the second one the variant. Otherwise there is the second bucket
    /// only, and every unit counts as enrolled.
    var hasEnrolmentBucket: Bool { get }

    /// Writes the buckets, each below ``bucketCount``, of every unit ID of a block. The arrays are long enough; what
    /// follows the units of this block does not matter, nor does `first` without ``hasEnrolmentBucket``.
    func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash)
}

/// The buckets of the unit IDs of a block.
public struct UnitBuckets: Sendable {
    /// Decides enrolment, a layer's slot, or a holdout.
    public var first: [UInt32]
    /// Decides the variant.
    public var second: [UInt32]

    /// Makes room for the buckets of `count` unit IDs.
    public init(count: Int) {
        first = Array(repeating: 0, count: count)
        second = first
    }

    mutating func reserve(_ count: Int) {
        guard first.count < count else { return }
        self = UnitBuckets(count: count)
    }
}

/// Allot's own bucketing, `sha256/1`.
public struct AllotBucketing: BucketingFunction {
    /// The name, with the hash version.
    public let name = "Allot \(Bucketing.hashVersion)"
    /// The number of buckets: 1,000,000.
    public let bucketCount = Bucketing.bucketCount
    /// Whether enrolment has a bucket of its own: the first, next to the second for the variant.
    public let hasEnrolmentBucket = true

    /// Creates the function; it holds nothing.
    public init() {}

    /// Writes both buckets of each unit of a block; those of another system's hash are its number, in parts of
    /// 1,000,000.
    public func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash) {
        switch hash {
        case .sha256(let salt):
            Bucketing.fill(
                &buckets.first, &buckets.second, of: units.bytes.span, ends: units.ends.span, under: SaltedHash(salt))
        case .other(let hash):
            let bytes = units.bytes.span
            for index in 0..<units.count {
                let scaled = Int128(hash.number(of: bytes.extracting(units[index]))) * Int128(bucketCount)
                buckets.second[index] = UInt32(scaled / Int128(hash.resolution))
                buckets.first[index] = buckets.second[index]
            }
        }
    }
}
