import Allot
import AllotConfiguration

/// One draw that decides something for a unit: half of the hash of one salt and one unit ID.
package struct Draw: Sendable, Hashable {
    /// Which of the two buckets of a hash.
    package enum Half: Sendable, Hashable {
        case first, second
    }

    package let salt: Salt
    /// The attribute that holds the unit ID.
    package let unit: UTF8Key
    package let half: Half

    package init(salt: Salt, unit: String, half: Half) {
        self.salt = salt
        self.unit = UTF8Key(unit)
        self.half = half
    }
}

/// The units for which something is decided: those whose bucket of each draw is in a set.
///
/// Draws of different salts are independent, so the share of a region is the product of the shares of its sets. That
/// holds for every gate of a decision: holdouts, slots, requirements, traffic and the variant's own buckets.
package struct DecisionRegion: Sendable {
    package private(set) var sets: [Draw: BucketSet] = [:]

    /// Everyone.
    package init() {}

    /// Leaves only those whose bucket is in a set.
    package mutating func restrict(_ draw: Draw, to set: BucketSet) {
        sets[draw] = sets[draw]?.intersection(set) ?? set
    }

    /// Those that are in both.
    package func intersection(_ other: DecisionRegion) -> DecisionRegion {
        var region = self
        for (draw, set) in other.sets { region.restrict(draw, to: set) }
        return region
    }

    /// The exact share of units.
    package var share: ExactShare {
        sets.values.reduce(.all) { $0.of(buckets: $1.count) }
    }
}
