import Allot
import AllotConfiguration

/// A dimension in which units are randomised: the first or the second bucket under one salt, for one unit attribute.
struct BucketDimension: Sendable, Hashable {
    /// Which of the two buckets of a hash.
    enum Half: Sendable, Hashable {
        case first, second
    }

    let salt: Salt
    /// The attribute that holds the unit ID.
    let unit: UTF8Key
    let half: Half

    init(salt: Salt, unit: String, half: Half) {
        self.salt = salt
        self.unit = UTF8Key(unit)
        self.half = half
    }
}

/// The units for which something is decided: those whose bucket in each dimension is in a set.
///
/// Dimensions are independent, so the share of a region is the product of the shares of its sets. That
/// holds for every gate of a decision: holdouts, slots, requirements, traffic and the variant's own buckets.
struct DecisionRegion: Sendable {
    /// By dimension; empty for all units.
    private(set) var sets: [BucketDimension: BucketSet] = [:]

    /// Keeps only the units whose bucket is in a set.
    mutating func restrict(_ dimension: BucketDimension, to set: BucketSet) {
        sets[dimension] = sets[dimension]?.intersection(set) ?? set
    }

    /// The units that are in both regions.
    func intersection(_ other: DecisionRegion) -> DecisionRegion {
        var region = self
        for (dimension, set) in other.sets { region.restrict(dimension, to: set) }
        return region
    }

    /// The exact share of units.
    var share: ExactShare {
        sets.values.reduce(.all) { $0.of(buckets: $1.count) }
    }
}
