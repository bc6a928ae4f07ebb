/// Eppo's sharder: the first 4 bytes of `MD5(salt-subject)` modulo the total number of shards, 10,000.
public struct Eppo: PeerSystem {
    public let name = "Eppo"
    public let source = "eppo-server-sdk 4.4.1 (PyPI), eppo_core/src/sharder.rs"
    public let bucketCount = 10_000

    /// Creates the function; it holds nothing.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append("-")
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: LibraryHashes.md5(message) &>> 32) % 10_000
    }
}
