import AllotConfiguration

// Check: displacement by a forced unit.

extension DecisionLoop {
    /// A subject that is forced in another experiment gets no variant of one that shares a setting or the layer with
    /// it, so that a forced unit never meets two overrides of one setting.
    ///
    /// A plan compiles this to the experiment's *rivals*: those whose forced units it leaves alone.
    @inline(__always)
    func displacement<R: Recorder>(
        _ experiment: CompiledExperiment, row: Int, _ forced: borrowing ForcedVariants, _ recorder: inout R
    ) -> Decision? {
        for position in experiment.rivals.positions {
            let rival = compiled.rivals[position]
            if forced.variant(of: rival, row: row) != nil {
                recorder.displaced(by: rival)
                return .none(.displaced)
            }
        }
        return nil
    }
}

/// For each experiment the others that force units and set something it sets, or share its layer. Found through an
/// index of sections and settings, so that unrelated experiments are never compared.
struct RivalTable {
    private(set) var rivals: [[Int]]

    init(_ experiments: [ExperimentDefinition]) {
        let paths = experiments.map { experiment in experiment.variants.flatMap(\.overriddenPaths) }
        var bySetting: [[UTF8Key]: [Int]] = [:]
        var byLayer: [String: [Int]] = [:]
        for (index, experiment) in experiments.enumerated() where experiment.forcesAnyUnit {
            for setting in Set(paths[index].map { $0.prefix(2).map(UTF8Key.init) }) {
                bySetting[setting, default: []].append(index)
            }
            if let layer = experiment.layer { byLayer[layer, default: []].append(index) }
        }
        rivals = experiments.indices.map { index in
            var found: Set<Int> = []
            if let layer = experiments[index].layer { found.formUnion(byLayer[layer] ?? []) }
            for path in paths[index] {
                for other in bySetting[path.prefix(2).map(UTF8Key.init)] ?? []
                where !found.contains(other) && paths[other].contains(where: { SettingPath.overlap($0, path) }) {
                    found.insert(other)
                }
            }
            found.remove(index)
            return found.sorted()
        }
    }
}
