import Allot

/// One random division of units that a study tests: of an experiment, a layer or a holdout; each has a salt.
///
/// A study looks at what the salt decides for *every* unit, by itself: not at status, schedule, audience, requirements,
/// forced units, nor at other gates. (Experiments of one layer never meet, by design; their salts must be independent
/// all the same.)
public struct Randomisation: Sendable, Hashable {
    /// What is randomised.
    public enum Kind: String, Sendable, CaseIterable {
        case experiment, layer, holdout
    }

    /// Which bucket decides the category of a unit that is enrolled.
    public enum Bucket: String, Sendable, CaseIterable {
        case first, second
    }

    /// Some of the buckets, of 1,000,000.
    public struct Category: Sendable, Hashable {
        public let name: String
        public let ranges: [Range<Int>]

        /// Creates a category of half-open ranges, which overlap no others.
        public init(_ name: String, _ ranges: [Range<Int>]) {
            self.name = name
            self.ranges = ranges
        }

        var bucketCount: Int {
            ranges.reduce(0) { $0 + $1.count }
        }
    }

    public let kind: Kind
    /// The key of the experiment, or the name of the layer or holdout.
    public let name: String
    public let salt: Salt
    /// The attribute that holds the unit ID. A study gives the same IDs to all.
    public let unit: String
    /// First buckets below this number are enrolled, of 1,000,000.
    public let traffic: Int
    /// Which bucket decides the category.
    public let decidedBy: Bucket
    /// What enrolled units are divided into.
    public let categories: [Category]
    /// The name of what is left: units that are not enrolled, and buckets of no category.
    public let remainderName: String
    /// Whether there is one category only, so that halves of the buckets are tested in its place.
    public let isHalved: Bool

    /// Creates a randomisation. Where `categories` and `traffic` leave nothing to divide, two halves of the buckets
    /// take their place.
    public init(
        _ kind: Kind, name: String, salt: Salt, unit: String = Subject.defaultUnit,
        traffic: Int = Bucketing.bucketCount, decidedBy: Bucket = .second, categories: [Category],
        remainderName: String = "not enrolled"
    ) {
        self.kind = kind
        self.name = name
        self.salt = salt
        self.unit = unit
        self.decidedBy = decidedBy
        self.remainderName = remainderName
        let present = categories.filter { $0.bucketCount > 0 }
        let owned = present.reduce(0) { $0 + $1.bucketCount }
        let isEverybodyIn = traffic >= Bucketing.bucketCount && owned >= Bucketing.bucketCount
        isHalved = traffic <= 0 || present.isEmpty || (present.count == 1 && isEverybodyIn)
        self.traffic = isHalved ? Bucketing.bucketCount : traffic
        self.categories = isHalved ? Self.halves : present
    }

    /// Kind and name, for messages: `experiment buy-button`.
    public var label: String {
        "\(kind.rawValue) \(name)"
    }

    private static let halves = [
        Category("lower half of the buckets", [0..<Bucketing.bucketCount / 2]),
        Category("upper half of the buckets", [Bucketing.bucketCount / 2..<Bucketing.bucketCount]),
    ]
}
