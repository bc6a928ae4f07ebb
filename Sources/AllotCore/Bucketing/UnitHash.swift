import AllotConfiguration

/// A hash with its salt, which turns the unit IDs of an experiment, a layer or a holdout into buckets.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for experiment in plan.experiments {
///     guard let hash = experiment.hash else { continue }  // It randomises nothing.
///     print(experiment.key, hash.scheme.rawValue, hash.salt, hash.resolution)
/// }
/// ```
public enum UnitHash: Sendable, Hashable {
    /// Allot's own, with a first and a second bucket.
    case sha256(Salt)
    /// Another system's, with one number.
    case other(ForeignHash)

    /// A hash with its salt.
    ///
    /// Returns `nil` if the salt or the resolution is not one of the scheme's; Allot's own always has 1,000,000
    /// buckets.
    ///
    /// - Parameters:
    ///   - scheme: which hash it is.
    ///   - salt: what is hashed with the unit ID.
    ///   - resolution: the number of buckets; `nil` for the scheme's own.
    public init?(_ scheme: HashScheme, salt: String, resolution: Int? = nil) {
        if scheme != .sha256 {
            guard let hash = ForeignHash(scheme, salt: salt, resolution: resolution) else { return nil }
            self = .other(hash)
        } else {
            guard let salt = Salt(salt), (resolution ?? Bucketing.bucketCount) == Bucketing.bucketCount else {
                return nil
            }
            self = .sha256(salt)
        }
    }

    /// The name of the hash.
    public var scheme: HashScheme { foreign?.scheme ?? .sha256 }

    /// The salt as written.
    public var salt: String {
        switch self {
        case .sha256(let salt): salt.text
        case .other(let hash): hash.salt
        }
    }

    /// The number of buckets, 1,000,000 for Allot's own hash.
    public var resolution: Int { foreign?.resolution ?? Bucketing.bucketCount }
    /// The hash of another system. Returns `nil` for Allot's own.
    package var foreign: ForeignHash? { if case .other(let hash) = self { hash } else { nil } }
    /// How percentages become buckets.
    package var scale: BucketScale { BucketScale(scheme, count: resolution) }
}

/// A hash that is ready for many unit IDs.
package enum PreparedHash: Sendable {
    case sha256(SaltedHash)
    case other(ForeignHash)

    package init(_ hash: UnitHash) {
        switch hash {
        case .sha256(let salt): self = .sha256(SaltedHash(salt))
        case .other(let hash): self = .other(hash)
        }
    }

    /// The buckets of a unit ID. Another system's hash gives one number, which both buckets are.
    @inline(__always) package func buckets(of unitID: Span<UInt8>) -> BucketPair {
        switch self {
        case .sha256(let hash): return hash.buckets(of: unitID)
        case .other(let hash):
            let number = hash.number(of: unitID)
            return BucketPair(first: number, second: number)
        }
    }

    package func buckets(of unitID: String) -> BucketPair { buckets(of: Array(unitID.utf8).span) }
}

/// The randomisation of an experiment's units: each ID of the unit gets a bucket. An experiment with `unit: none` has
/// no draw, and everyone in its audience gets its one variant.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for experiment in plan.experiments {
///     print(experiment.key, experiment.draw?.unit ?? "randomises nothing")
/// }
/// ```
public struct UnitDraw: Sendable, Hashable {
    /// The attribute that holds the unit ID. Several attributes are joined to one name, `city|line`.
    public package(set) var unit: String
    /// How the units are randomised, with the salt.
    public package(set) var hash: UnitHash
    /// The windows in each of which units are randomised anew; `nil` for one randomisation for all times.
    public package(set) var period: Period?

    package init(unit: String, hash: UnitHash, period: Period? = nil) {
        (self.unit, self.hash, self.period) = (unit, hash, period)
    }

    /// The attributes that hold the unit ID, or its parts.
    public var unitAttributes: [String] { CompositeUnit.parts(of: unit) }
}
