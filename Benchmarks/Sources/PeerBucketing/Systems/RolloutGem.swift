/// The Ruby gem rollout with `randomize_percentage`: `crc32(user + feature) < percentage * (2^32 - 1) / 100`. (Without
/// that option the feature is not hashed at all, and all features reach the same users.)
public struct RolloutGem: MessageSystem {
    public let name = "rollout (gem)"
    public let source = "rollout 2.5.0 (Ruby) lib/rollout/feature.rb, randomize_percentage"
    public let bucketCount = Scaling.fineBucketCount

    /// Creates the function; it holds nothing.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(unitID)
        message.append(salt)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        let scaled = UInt64(LibraryHashes.crc32(message)) &* UInt64(bucketCount) / UInt64(UInt32.max)
        return min(UInt32(truncatingIfNeeded: scaled), UInt32(bucketCount - 1))
    }
}
