import Allot
import AllotAnalysis

/// A system whose hash Allot itself has, so that experiments can move from there.
public struct SchemeSystem: PeerSystem {
    public let name: String
    public let source: String
    public let bucketCount: Int
    private let scheme: HashScheme
    /// What follows the salt of an experiment: PlanOut hashes the name of the parameter as well.
    private let saltEnding: String

    /// - Parameters:
    ///   - bucketCount: the number of buckets; for systems that have none of their own the number of equal parts.
    init(_ name: String, _ scheme: HashScheme, bucketCount: Int? = nil, saltEnding: String = "", source: String) {
        self.name = name
        self.scheme = scheme
        self.bucketCount = bucketCount ?? scheme.defaultResolution
        self.saltEnding = saltEnding
        self.source = source
    }

    public func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under unitHash: UnitHash) {
        guard let hash = hash(unitHash.salt) else { return }
        let bytes = units.bytes.span
        for index in 0..<units.count {
            buckets.second[index] = bucket(hash.number(of: bytes.extracting(units[index])), of: hash)
        }
    }

    public func bucket(of unitID: String, under salt: String) -> UInt32 {
        hash(salt).map { bucket($0.number(of: unitID), of: $0) } ?? 0
    }

    private func hash(_ salt: String) -> ForeignHash? {
        ForeignHash(scheme, salt: salt + saltEnding, resolution: scheme.takesResolution ? bucketCount : nil)
    }

    /// A number of 60 bits becomes one of the equal parts, the last of which is not the largest fraction alone.
    @inline(__always)
    private func bucket(_ number: Int, of hash: ForeignHash) -> UInt32 {
        guard hash.resolution != bucketCount else { return UInt32(truncatingIfNeeded: number) }
        return Scaling.bucket(of: scheme.fraction(ofBucket: number), count: bucketCount)
    }
}
