import Allot
import AllotConfiguration

/// The units that a change of definitions forces into variants, by the experiment that forces them.
struct NewlyForced {
    private let entries: [(experiment: ExperimentDefinition, paths: [[String]], units: [String])]

    /// Complexity: O(forced units).
    init(from old: DefinitionsIndex, to new: DefinitionsIndex) {
        entries = new.definitions.experiments.compactMap { experiment in
            guard experiment.forcesUnits else { return nil }
            let before = old.experiment(experiment.key).map { $0.forcesUnits ? $0.forced : [] } ?? []
            let known = Set(before.map { UTF8Key($0.unitID) })
            let units = experiment.forced.map(\.unitID).filter { !known.contains(UTF8Key($0)) }
            return units.isEmpty ? nil : (experiment, experiment.variants.flatMap(\.overriddenPaths), units)
        }
    }

    /// The units that others take from an experiment, because they share a setting or the layer with it.
    func displaced(from experiment: ExperimentDefinition) -> [String] {
        guard !entries.isEmpty else { return [] }
        let paths = experiment.variants.flatMap(\.overriddenPaths)
        return entries.filter { entry in
            guard entry.experiment.key != experiment.key, UTF8Order.areEqual(entry.experiment.unit, experiment.unit)
            else { return false }
            if let layer = experiment.layer, layer == entry.experiment.layer { return true }
            return paths.contains { path in entry.paths.contains { SettingPath.overlap($0, path) } }
        }.flatMap(\.units)
    }
}
