import Allot
import AllotAnalysis

/// Another system's way from a salt and a unit ID to a bucket: which message it hashes, how, and how many buckets it
/// makes of the hash.
///
/// These are the published algorithms, not the systems' own code; tests compare them with the systems' packages.
public protocol PeerSystem: BucketingFunction {
    /// Where the algorithm is published: project, version and file.
    var source: String { get }

    /// Writes what is hashed for a unit behind an empty message.
    func write(salt: Span<UInt8>, unitID: Span<UInt8>, to message: inout [UInt8])

    /// The bucket of a message, below `bucketCount`.
    func bucket(of message: Span<UInt8>) -> UInt32
}

extension PeerSystem {
    /// The variant alone; who is enrolled these systems decide elsewhere, or with the same bucket.
    public var hasEnrolmentBucket: Bool { false }

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

    /// The bucket of one unit ID under any salt, also one that Allot would not take.
    public func bucket(of unitID: String, under salt: String) -> UInt32 {
        var message: [UInt8] = []
        write(salt: Array(salt.utf8).span, unitID: Array(unitID.utf8).span, to: &message)
        return bucket(of: message.span)
    }
}
