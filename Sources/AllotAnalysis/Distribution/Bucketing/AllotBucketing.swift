import Allot

/// Allot's own bucketing, `sha256/1`.
public struct AllotBucketing: BucketingFunction {
    public let name = "Allot \(Bucketing.hashVersion)"
    public let bucketCount = Bucketing.bucketCount
    public let hasEnrolmentBucket = true

    /// Creates the function; it holds nothing.
    public init() {}

    public func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under salt: Salt) {
        Bucketing.fill(
            &buckets.first, &buckets.second, of: units.bytes.span, ends: units.ends.span, under: SaltedHash(salt))
    }
}
