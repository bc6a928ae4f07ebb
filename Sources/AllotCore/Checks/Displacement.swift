import AllotConfiguration

// Check: displacement by a forced unit.

extension DecisionLoop {
    /// A subject that is forced in another experiment gets no variant of one that shares a setting or the layer with
    /// it, so that a forced unit never meets two overrides of one setting. A plan compiles this to the experiment's
    /// *rivals*: those whose forced units it leaves alone.
    @inline(never) func displacement<R: Recorder>(
        _ index: Int, row: Int, _ forced: borrowing ForcedVariants, _ recorder: inout R
    ) -> Decision? {
        // An experiment may have many rivals, and hardly any subject is forced anywhere.
        if !forced.isEmpty {
            for position in compiled.experiments[index].rivals.positions {
                let rival = compiled.rivals[position]
                if forced.variant(of: rival, row: row) != nil {
                    recorder.displaced(by: rival)
                    return .none(.displaced)
                }
            }
        }
        if R.hearsEverything { recorder.displaced(by: nil) }
        return nil
    }
}

extension [ExperimentDefinition] {
    /// For each experiment the others that force units and set something it sets, or share its layer.
    package var rivals: [[Int]] {
        let forcing = indices.filter { self[$0].forcesAnyUnit }
        guard !forcing.isEmpty else { return map { _ in [] } }
        let settings = OverrideIndex(self, rivals: { self[$0].forcesAnyUnit })
        let byLayer = Dictionary(grouping: forcing) { self[$0].layer }
        return indices.map { index in
            let sharing = settings.rivals(of: index).filter { settings.sharedPath(index, $0) != nil }
            let inLayer = self[index].layer.flatMap { byLayer[$0] } ?? []
            if sharing.isEmpty, inLayer.isEmpty { return [] }
            return Set(sharing + inLayer).subtracting([index]).sorted()
        }
    }
}
