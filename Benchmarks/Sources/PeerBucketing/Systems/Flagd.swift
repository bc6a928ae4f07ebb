/// flagd's `fractional`: MurmurHash3 with seed 0 of the CBOR array (RFC 8949) of flag key and targeting key, times the
/// sum of the weights, divided by 2^32.
public struct Flagd: PeerSystem {
    public let name = "flagd"
    public let source = "openfeature-flagd-core 2.0.0 (PyPI) targeting/custom_ops.py"
    public let bucketCount = Scaling.fineBucketCount

    /// Creates the function; the flag's key is the salt.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        // An array of two.
        message.append(0x82)
        Self.appendText(salt, to: &message)
        Self.appendText(unitID, to: &message)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        Scaling.bucket(of: MurmurHash3.hash(message, seed: 0), count: bucketCount)
    }

    /// A text string of less than 65,536 bytes with its shortest head.
    @inline(__always)
    private static func appendText(_ text: Span<UInt8>, to message: inout [UInt8]) {
        let length = text.count
        if length < 24 {
            message.append(0x60 | UInt8(truncatingIfNeeded: length))
        } else if length < 256 {
            message.append(0x78)
            message.append(UInt8(truncatingIfNeeded: length))
        } else {
            message.append(0x79)
            message.append(UInt8(truncatingIfNeeded: length &>> 8))
            message.append(UInt8(truncatingIfNeeded: length))
        }
        message.append(text)
    }
}
