import AllotConfiguration
import AllotCore

/// One random division of units that a study tests: of an experiment, a layer or a holdout; each has a salt.
///
/// A study looks at what the salt decides for *every* unit, by itself: not at status, schedule, audience, requirements,
/// forced units, nor at other gates. (Experiments of one layer never meet, by design; their salts must be independent
/// all the same.)
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// let experiments = plan.experiments.compactMap { Randomisation(experiment: $0) }
/// print(experiments.count == plan.experiments.count)
/// ```
public struct Randomisation: Sendable, Hashable {
    /// The owner of a randomisation.
    public enum Kind: String, Sendable, CaseIterable {
        case experiment, layer, holdout
    }

    /// Which bucket decides the category of a unit that is enrolled.
    public enum Bucket: String, Sendable, CaseIterable {
        case first, second
    }

    /// Some of the buckets.
    public struct Category: Sendable, Hashable {
        let name: String
        let ranges: [Range<Int>]

        /// Creates a category of half-open ranges, which overlap no others.
        public init(_ name: String, _ ranges: [Range<Int>]) {
            self.name = name
            self.ranges = ranges
        }

        var bucketCount: Int { ranges.reduce(0) { $0 + $1.count } }
    }

    let kind: Kind
    /// The key of the experiment, or the name of the layer or holdout.
    public let name: String
    /// The hash of its units, with the salt.
    public let hash: UnitHash
    /// The attribute that holds the unit ID. A study gives the same IDs to all.
    let unit: String
    /// First buckets below this number are enrolled, of all; another system's hash enrols every unit.
    let traffic: Int
    let decidedBy: Bucket
    let categories: [Category]
    /// The name of the rest: units that are not enrolled, and buckets of no category.
    let remainderName: String
    /// The window of an experiment with a period: each is a randomisation of its own. `nil` without a period.
    public private(set) var window: Int64?
    private var period: Period?
    /// Whether there is one category only, so that halves of the buckets are tested in its place.
    let isHalved: Bool

    /// Creates a randomisation. Where `categories` and `traffic` leave nothing to divide, two halves of the buckets
    /// take their place.
    ///
    /// The traffic is the number of first buckets that are enrolled, `nil` for all; the remainder are the units that
    /// are in no category.
    public init(
        _ kind: Kind, name: String, hash: UnitHash, unit: String = Subject.defaultUnit, traffic: Int? = nil,
        decidedBy: Bucket = .second, categories: [Category], remainderName: String = "not enrolled"
    ) {
        let bucketCount = hash.resolution
        let traffic = hash.foreign == nil ? traffic ?? bucketCount : bucketCount
        (self.kind, self.name, self.hash, self.unit) = (kind, name, hash, unit)
        (self.decidedBy, self.remainderName) = (decidedBy, remainderName)
        let present = categories.filter { $0.bucketCount > 0 }
        let owned = present.reduce(0) { $0 + $1.bucketCount }
        let isEverybodyIn = traffic >= bucketCount && owned >= bucketCount
        isHalved = traffic <= 0 || present.isEmpty || (present.count == 1 && isEverybodyIn)
        self.traffic = isHalved ? bucketCount : traffic
        self.categories = isHalved ? Self.halves(of: bucketCount) : present
    }

    /// The salt of the hash of its units.
    public var salt: String { hash.salt }
    /// Kind and name, for messages: `experiment buy-button`.
    var label: String { "\(kind.rawValue) \(title)" }
    /// The name, with the window of a period: `buy-button in window 1`.
    var title: String { name + (window.map { " in window \($0)" } ?? "") }

    /// The text that is hashed with each unit ID. Randomisations with the same one have the same buckets.
    struct HashedText: Hashable {
        let hash: UnitHash
        let window: Int64?
    }

    var hashedText: HashedText { HashedText(hash: hash, window: window.flatMap { period?.hashedNumber(of: $0) }) }
    /// Whether the second bucket is the mirror image of what the hash gives, in the second window of a balanced pair.
    var isMirrored: Bool { window.map { period?.isMirrored($0) ?? false } ?? false }

    private static func halves(of bucketCount: Int) -> [Category] {
        [("lower", 0..<bucketCount / 2), ("upper", bucketCount / 2..<bucketCount)].map {
            Category("\($0) half of the buckets", [$1])
        }
    }
}

extension Randomisation {
    /// The randomisations of a plan: of its experiments that draw, whatever their status, then its layers, then its
    /// holdouts.
    public static func all(of plan: Plan, selection: [Int]? = nil) -> [Randomisation] {
        let experiments = (selection ?? Array(plan.experiments.indices)).map { plan.experiments[$0] }
        let layers = plan.layers.filter { layer in selection == nil || experiments.contains { $0.layer == layer.name } }
        return experiments.flatMap(windows(of:))
            + layers.map { layer in
                Randomisation(layer: layer, experiments: plan.experiments.filter { $0.layer == layer.name })
            }
            + plan.holdouts.map(Randomisation.init(holdout:))
    }

    /// The randomisations of a plan that a study of one hash can test: those that have it. If none has, those of
    /// Allot's own hash, as if they had it.
    ///
    /// Without a scheme it is that of the selected experiments if they have one in common, else Allot's own.
    ///
    /// - Throws: if there are none, if a selected experiment randomises nothing, or if they divide units into
    ///   different numbers of buckets.
    public static func study(
        of plan: Plan, scheme: HashScheme? = nil, selection: [Int]? = nil
    ) throws(AnalysisError) -> DistributionStudy {
        let selected = (selection ?? []).map { plan.experiments[$0] }
        if let experiment = selected.first(where: { $0.draw == nil }) {
            throw .notRandomised(experiment.key, "distribution to test")
        }
        let all = all(of: plan, selection: selection)
        let chosen = Set(selected.compactMap(\.hash?.scheme))
        let scheme = scheme ?? (chosen.count == 1 ? chosen.first : nil) ?? .sha256
        let own = all.filter { $0.hash.foreign == nil }
        let those = all.filter { $0.hash.scheme == scheme }
        var study = DistributionStudy(those.isEmpty ? own : those)
        guard scheme != .sha256 else {
            let others = Set(all.map(\.hash.scheme)).subtracting([.sha256]).map(\.rawValue).sorted()
            guard !study.randomisations.isEmpty || others.isEmpty else {
                throw AnalysisError(
                    "only hashes of other systems are used here; choose one to test: "
                        + others.joined(separator: ", "))
            }
            study.leftOut = others.map { name in
                let labels = all.filter { $0.hash.scheme.rawValue == name }.map(\.label)
                return "Left out is what has another hash; choose the hash \(name) to test it: "
                    + "\(labels.joined(separator: ", "))."
            }
            return study
        }
        let resolutions = Set(those.map(\.hash.resolution)).sorted()
        guard resolutions.count <= 1 else {
            throw AnalysisError(
                "experiments with the hash \(scheme.rawValue) have different numbers of buckets "
                    + "(\(resolutions.map(String.init).joined(separator: ", "))); choose some of them")
        }
        study.function = SchemeBucketing(scheme, resolution: resolutions.first)
        return study
    }

    /// The randomisations of an experiment: one, or two consecutive windows of a period. A balanced period has three,
    /// since the first two have each other's variants by design.
    private static func windows(of experiment: Plan.Experiment) -> [Randomisation] {
        guard let first = Randomisation(experiment: experiment) else { return [] }
        guard let period = first.period else { return [first] }
        return (0..<(period.isBalanced ? 3 : 2)).map { number in
            var window = first
            window.window = Int64(number)
            return window
        }
    }

    /// The variants of an experiment, and the units that are not enrolled; with traffic steps those of the largest
    /// share. Of an experiment with a period it is window 0. Returns `nil` if it randomises nothing.
    public init?(experiment: Plan.Experiment) {
        guard let draw = experiment.draw else { return nil }
        self.init(
            .experiment, name: experiment.key, hash: draw.hash, unit: draw.unit,
            traffic: experiment.traffic.limited(to: experiment.schedule).highestShare,
            categories: experiment.variants.map { Category($0.key, $0.buckets) })
        period = draw.period
        window = period == nil ? nil : 0
    }

    /// The units that are held out.
    public init(holdout: Plan.Holdout) {
        self.init(
            .holdout, name: holdout.name, hash: holdout.hash, unit: holdout.unit, decidedBy: .first,
            categories: [Category("held out", [0..<holdout.share])], remainderName: "not held out")
    }

    /// The slots of a layer by the experiments that hold them. (Experiments that cannot be live together may hold the
    /// same slots.) Where that makes too many kinds of slots, ten equal parts are tested.
    public init(layer: Plan.Layer, experiments: [Plan.Experiment]) {
        let bounds = Set(experiments.flatMap(\.slots).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        var slots: [String: [Range<Int>]] = [:]
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let owners = experiments.filter { $0.slots.contains { $0.contains(start) } }.map(\.key)
            if !owners.isEmpty { slots[owners.joined(separator: " or "), default: []].append(start..<end) }
        }
        let categories = slots.sorted { UTF8Order.precedes($0.key, $1.key) }.map { Category($0.key, $0.value) }
        self.init(
            .layer, name: layer.name, hash: layer.hash, unit: layer.unit, decidedBy: .first,
            categories: categories.count > Self.mostSlotOwners ? Self.tenths(of: layer.hash.resolution) : categories,
            remainderName: "free slots")
    }

    private static let mostSlotOwners = 20
    private static func tenths(of slotCount: Int) -> [Category] {
        let bounds = (0...10).map { Int(Int128(slotCount) * Int128($0) / 10) }
        return zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { Category("slots \($0)..<\($1)", [$0..<$1]) }
    }
}
