import AllotCore

/// Another system's hash, as experiments that were moved here use it.
///
/// ```swift
/// import Allot
///
/// var study = DistributionStudy([])
/// study.function = SchemeBucketing(.growthbook2)
/// ```
public struct SchemeBucketing: BucketingFunction {
    /// The system's hash.
    public let scheme: HashScheme
    /// The number of buckets, at most 2^31: a hash of 60 bits is counted in that many equal parts.
    public let bucketCount: Int
    /// Whether enrolment has a bucket of its own; other systems give one number.
    public let hasEnrolmentBucket = false
    private let resolution: Int
    private static let mostBuckets = 1 << 31

    /// The name of the hash.
    public var name: String { scheme.rawValue }

    /// Creates the function of a hash.
    public init(_ scheme: HashScheme, resolution: Int? = nil) {
        self.scheme = scheme
        self.resolution = resolution ?? scheme.defaultResolution
        bucketCount = min(self.resolution, Self.mostBuckets)
    }

    /// Writes the number of each unit of a block. The salt alone counts of the randomisation's hash.
    public func fill(_ buckets: inout UnitBuckets, for units: UnitBlock, under hash: UnitHash) {
        let part = max(resolution / Self.mostBuckets, 1)
        let bytes = units.bytes.span
        // Allot's own hash is not another system's, and has a function of its own.
        guard let foreign = ForeignHash(scheme, salt: hash.salt, resolution: resolution)
        else { return AllotBucketing().fill(&buckets, for: units, under: hash) }
        for index in 0..<units.count {
            let number = foreign.number(of: bytes.extracting(units[index])) / part
            buckets.second[index] = UInt32(truncatingIfNeeded: number)
        }
    }
}
