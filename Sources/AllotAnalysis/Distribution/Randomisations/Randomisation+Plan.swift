import Allot
import AllotConfiguration

extension Randomisation {
    /// The randomisations of a plan: of its experiments, whatever their status, then its layers, then its holdouts.
    ///
    /// - Parameter selection: the indices of the experiments to look at, with their layers and all holdouts; `nil` for
    ///   all experiments and layers.
    /// - Parameter plan: The plan to evaluate.
    public static func all(of plan: Plan, selection: [Int]? = nil) -> [Randomisation] {
        let experiments = (selection ?? Array(plan.experiments.indices)).map { plan.experiments[$0] }
        let layers = plan.layers.indices.filter { index in
            selection == nil || experiments.contains { $0.layer == index }
        }
        return experiments.map(Randomisation.init(experiment:))
            + layers.map { index in
                Randomisation(layer: plan.layers[index], experiments: plan.experiments.filter { $0.layer == index })
            }
            + plan.holdouts.map(Randomisation.init(holdout:))
    }

    /// The variants of an experiment, and who is not enrolled.
    public init(experiment: Plan.Experiment) {
        self.init(
            .experiment, name: experiment.key, salt: experiment.salt, unit: experiment.unit,
            traffic: experiment.traffic, categories: experiment.variants.map { Category($0.key, $0.buckets) })
    }

    /// Who is held out.
    public init(holdout: Plan.Holdout) {
        self.init(
            .holdout, name: holdout.name, salt: holdout.salt, unit: holdout.unit, decidedBy: .first,
            categories: [Category("held out", [0..<holdout.share])], remainderName: "not held out")
    }

    /// The slots of a layer by the experiments that hold them. (Experiments that cannot be live together may hold the
    /// same slots.) Where that makes too many kinds of slots, ten equal parts are tested.
    ///
    /// - Parameter experiments: those of the layer.
    /// - Parameter layer: The layer.
    public init(layer: Plan.Layer, experiments: [Plan.Experiment]) {
        let bounds = Set(experiments.flatMap(\.slots).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        var slots: [String: [Range<Int>]] = [:]
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let owners = experiments.filter { $0.slots.contains { $0.contains(start) } }.map(\.key)
            if !owners.isEmpty { slots[owners.joined(separator: " or "), default: []].append(start..<end) }
        }
        let categories = slots.sorted { UTF8Order.precedes($0.key, $1.key) }.map { Category($0.key, $0.value) }
        self.init(
            .layer, name: layer.name, salt: layer.salt, unit: layer.unit, decidedBy: .first,
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
