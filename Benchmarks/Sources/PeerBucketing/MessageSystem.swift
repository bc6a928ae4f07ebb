import Allot
import AllotAnalysis

/// A system that Allot does not have, from its published algorithm: which message it hashes, how, and how many buckets
/// it makes of the hash.
public protocol MessageSystem: PeerSystem {
    /// Writes what is hashed for a unit after an empty message.
    func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8])

    /// The bucket of a message, below `bucketCount`.
    func bucket(of message: Span<UInt8>) -> UInt32
}

extension MessageSystem {
    @inline(__always)
    public func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash) {
        let salt = Array(hash.salt.utf8)
        var message: [UInt8] = []
        message.reserveCapacity(256)
        let bytes = units.bytes.span
        for index in 0..<units.count {
            message.removeAll(keepingCapacity: true)
            write(salt: salt.span, unitID: bytes.extracting(units[index]), to: &message)
            buckets.second[index] = bucket(of: message.span)
        }
    }

    public func bucket(of unitID: String, under salt: String) -> UInt32 {
        var message: [UInt8] = []
        write(salt: Array(salt.utf8).span, unitID: Array(unitID.utf8).span, to: &message)
        return bucket(of: message.span)
    }
}
