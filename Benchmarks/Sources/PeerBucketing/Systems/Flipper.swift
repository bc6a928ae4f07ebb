/// Flipper's percentage of actors: `crc32(feature + actor) % 100000`. The remainder hides some of CRC's linearity.
public struct Flipper: MessageSystem {
    public let name = "Flipper"
    public let source = "flipper 0.25.4 (Ruby) lib/flipper/gates/percentage_of_actors.rb"
    public let bucketCount = 100_000

    /// Creates the function; it holds nothing.
    public init() {}

    @inline(__always)
    public func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8]) {
        message.append(salt)
        message.append(unitID)
    }

    @inline(__always)
    public func bucket(of message: Span<UInt8>) -> UInt32 {
        LibraryHashes.crc32(message) % 100_000
    }
}
