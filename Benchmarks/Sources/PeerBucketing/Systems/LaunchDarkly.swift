/// LaunchDarkly's `bucketContext`: the first 15 hexadecimal digits of `SHA-1(flagKey.salt.contextKey)`, divided by
/// 0xFFFFFFFFFFFFFFF and compared with weights in parts of 100,000. An experiment's seed takes the place of
/// `flagKey.salt`.
public struct LaunchDarkly: PeerSystem {
    public let name = "LaunchDarkly"
    public let source = "launchdarkly-server-sdk 9.18.2 (PyPI) ldclient/impl/evaluator_common.py"
    public let bucketCount = 100_000

    /// Creates the function; the flag's key or the experiment's seed is the salt.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(".")
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        Scaling.bucket(of: Self.fraction(message), count: bucketCount)
    }

    /// The number that is compared with the weights, from 0 to 1, both included.
    public static func fraction(_ message: Span<UInt8>) -> Double {
        Scaling.fraction(ofDigest: LibraryHashes.sha1(message))
    }
}
