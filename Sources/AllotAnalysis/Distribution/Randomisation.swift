import Allot
import AllotConfiguration

/// One random division of units that a study tests: of an experiment, a layer or a holdout; each has a salt.
///
/// A study looks at what the salt decides for *every* unit, by itself: not at status, schedule, audience, requirements,
/// forced units, nor at other gates. (Experiments of one layer never meet, by design; their salts must be independent
/// all the same.)
///
/// ```swift
/// import Allot
/// import AllotDefinitions
///
/// let plan = try Plan.load(folder: "Experiments")
/// let experiments = plan.experiments.compactMap { Randomisation(experiment: $0) }
/// print(experiments.count == plan.experiments.count)
/// ```
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
        /// The name, such as a variant's key.
        let name: String
        /// The half-open ranges of buckets that belong to it.
        let ranges: [Range<Int>]

        /// Creates a category of half-open ranges, which overlap no others.
        public init(_ name: String, _ ranges: [Range<Int>]) {
            self.name = name
            self.ranges = ranges
        }

        var bucketCount: Int {
            ranges.reduce(0) { $0 + $1.count }
        }
    }

    /// Whether an experiment, a layer or a holdout randomises.
    let kind: Kind
    /// The key of the experiment, or the name of the layer or holdout.
    public let name: String
    /// The salt that its units are hashed with.
    public let salt: Salt
    /// The attribute that holds the unit ID. A study gives the same IDs to all.
    let unit: String
    /// First buckets below this number are enrolled, of 1,000,000.
    let traffic: Int
    /// Which bucket decides the category.
    let decidedBy: Bucket
    /// What enrolled units are divided into.
    let categories: [Category]
    /// The name of what is left: units that are not enrolled, and buckets of no category.
    let remainderName: String
    /// Whether there is one category only, so that halves of the buckets are tested in its place.
    let isHalved: Bool

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
    var label: String {
        "\(kind.rawValue) \(name)"
    }

    private static let halves = [
        Category("lower half of the buckets", [0..<Bucketing.bucketCount / 2]),
        Category("upper half of the buckets", [Bucketing.bucketCount / 2..<Bucketing.bucketCount]),
    ]
}

extension Randomisation {
    /// The randomisations of a plan: of its experiments, whatever their status, then its layers, then its holdouts.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - selection: the indices of the experiments to look at, with their layers and all holdouts; `nil` for all
    ///     experiments and layers.
    public static func all(of plan: Plan, selection: [Int]? = nil) -> [Randomisation] {
        let experiments = (selection ?? Array(plan.experiments.indices)).map { plan.experiments[$0] }
        let layers = plan.layers.indices.filter { index in
            selection == nil || experiments.contains { $0.layer == index }
        }
        return experiments.compactMap(Randomisation.init(experiment:))
            + layers.compactMap { index in
                Randomisation(layer: plan.layers[index], experiments: plan.experiments.filter { $0.layer == index })
            }
            + plan.holdouts.compactMap(Randomisation.init(holdout:))
    }

    /// The variants of an experiment, and the units that are not enrolled; with traffic steps those of the largest
    /// share. Returns `nil` for another system's hash.
    public init?(experiment: Plan.Experiment) {
        guard case .sha256(let salt) = experiment.hash else { return nil }
        self.init(
            .experiment, name: experiment.key, salt: salt, unit: experiment.unit,
            traffic: experiment.traffic.limited(to: experiment.schedule).highestShare,
            categories: experiment.variants.map { Category($0.key, $0.buckets) })
    }

    /// The units that are held out. Returns `nil` for another system's hash.
    public init?(holdout: Plan.Holdout) {
        guard case .sha256(let salt) = holdout.hash else { return nil }
        self.init(
            .holdout, name: holdout.name, salt: salt, unit: holdout.unit, decidedBy: .first,
            categories: [Category("held out", [0..<holdout.share])], remainderName: "not held out")
    }

    /// The slots of a layer by the experiments that hold them. (Experiments that cannot be live together may hold the
    /// same slots.) Where that makes too many kinds of slots, ten equal parts are tested. Returns `nil` for another
    /// system's hash.
    ///
    /// - Parameters:
    ///   - layer: the layer.
    ///   - experiments: those of the layer.
    public init?(layer: Plan.Layer, experiments: [Plan.Experiment]) {
        guard case .sha256(let salt) = layer.hash else { return nil }
        let bounds = Set(experiments.flatMap(\.slots).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        var slots: [String: [Range<Int>]] = [:]
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let owners = experiments.filter { $0.slots.contains { $0.contains(start) } }.map(\.key)
            if !owners.isEmpty { slots[owners.joined(separator: " or "), default: []].append(start..<end) }
        }
        let categories = slots.sorted { UTF8Order.precedes($0.key, $1.key) }.map { Category($0.key, $0.value) }
        self.init(
            .layer, name: layer.name, salt: salt, unit: layer.unit, decidedBy: .first,
            categories: categories.count > Self.mostSlotOwners ? Self.tenths : categories,
            remainderName: "free slots")
    }

    private static let mostSlotOwners = 20
    private static let tenths = (0..<10).map { part in
        let width = Bucketing.bucketCount / 10
        let range = part * width..<(part + 1) * width
        return Category("slots \(range.lowerBound)..<\(range.upperBound)", [range])
    }
}
