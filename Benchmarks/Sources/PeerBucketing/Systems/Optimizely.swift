/// Optimizely's bucketer: MurmurHash3 with seed 1 of the bucketing ID and the experiment's ID behind it, as a fraction
/// of 2^32, times 10,000.
public struct Optimizely: PeerSystem {
    public let name = "Optimizely"
    public let source = "optimizely-sdk 5.7.0 (PyPI) optimizely/bucketer.py"
    public let bucketCount = 10_000

    /// Creates the function; it holds nothing.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(unitID)
        message.append(salt)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        Scaling.bucket(of: MurmurHash3.hash(message, seed: 1), count: bucketCount)
    }
}
