/// CRC-32 of the salt and the unit ID after it, taken as a fraction of all 32-bit numbers: the plain form of a popular
/// idea, of no particular system.
///
/// CRC is linear: of two salts of one length the hashes of every unit differ by one and the same pattern of bits, so
/// that whether a unit is below the middle under one salt tells on which side it is under the other.
public struct CRC32Prefix: MessageSystem {
    public let name = "CRC32, salt first"
    public let source = "crc32(salt + unit) / 2^32; ISO 3309, zlib"
    public let bucketCount = Scaling.fineBucketCount

    /// Creates the function; it holds nothing.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        Scaling.bucket(of: LibraryHashes.crc32(message), count: bucketCount)
    }
}
