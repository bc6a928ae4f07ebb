import AllotConfiguration

/// The overrides of experiments by setting, so that experiments without a common setting are never compared.
package struct OverrideIndex: Sendable {
    /// One value that a variant overrides.
    package struct Override: Sendable {
        package let variant: Int
        package let path: [String]
    }

    /// For each experiment its overrides by the settings' numbers.
    private let overrides: [[Int: [Override]]]
    /// For each setting, by its number, the experiments that override it and can be rivals, in ascending order.
    private let experiments: [[Int]]

    /// Indexes the overrides of variants.
    ///
    /// - Parameters:
    ///   - canBeRival: Whether an experiment counts as a rival of others.
    ///   - isIncluded: Whether the variant of an experiment at an index counts.
    package init(
        _ definitions: [ExperimentDefinition], rivals canBeRival: (ExperimentDefinition) -> Bool = { _ in true },
        variants isIncluded: (ExperimentDefinition, Int) -> Bool = { _, _ in true }
    ) {
        var numbers: [[UTF8Key]: Int] = [:]
        overrides = definitions.map { definition in
            var bySetting: [Int: [Override]] = [:]
            for index in definition.variants.indices where isIncluded(definition, index) {
                for path in definition.variants[index].overriddenPaths {
                    let setting = path.prefix(2).map(UTF8Key.init)
                    let number = numbers[setting] ?? numbers.count
                    numbers[setting] = number
                    bySetting[number, default: []].append(Override(variant: index, path: path))
                }
            }
            return bySetting
        }
        var experiments = Array(repeating: [Int](), count: numbers.count)
        for index in definitions.indices where canBeRival(definitions[index]) {
            for setting in overrides[index].keys { experiments[setting].append(index) }
        }
        self.experiments = experiments
    }

    /// Whether another experiment overrides a setting of this one.
    package func hasRivals(_ index: Int) -> Bool {
        overrides[index].keys.contains { experiments[$0].count > 1 }
    }

    /// The experiments before `end` that override a setting of this one, in ascending order; itself may be among them.
    package func rivals(of index: Int, before end: Int = .max) -> [Int] {
        let bySetting = overrides[index].keys.map { experiments[$0].prefix { $0 < end } }
        return bySetting.count == 1 ? Array(bySetting[0]) : Set(bySetting.joined()).sorted()
    }

    /// For each setting that both experiments override, the overrides of each.
    package func shared(_ first: Int, _ second: Int) -> [([Override], [Override])] {
        overrides[first]
            .compactMap { setting, left in overrides[second][setting].map { (setting, (left, $0)) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The first value that both override.
    package func sharedPath(_ first: Int, _ second: Int) -> [String]? {
        for (left, right) in shared(first, second) {
            for one in left {
                for other in right where SettingPath.overlap(one.path, other.path) {
                    return one.path.count >= other.path.count ? one.path : other.path
                }
            }
        }
        return nil
    }
}
