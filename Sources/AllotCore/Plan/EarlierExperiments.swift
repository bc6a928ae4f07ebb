/// The experiments of an earlier plan, for a plan of nearly the same definitions: what may differ is computed anew.
package struct EarlierExperiments: Sendable {
    private var experiments: [Plan.Experiment] = []
    /// By experiment whether its revision says nothing of experiments that it requires.
    private var requiresNone: [Bool] = []
    /// By experiment those whose forced units it leaves alone, which are part of its revision.
    private var rivals: [[Int]] = []
    private var layers: [String] = []
    private var shared: CanonicalShared?
    /// What each holdout covers.
    private var scopes: [HoldoutDefinition.Scope?] = []
    /// By new experiment the index of the earlier one with an equal definition.
    private var indices: [Int?] = []

    /// Nothing.
    package init() {}

    /// Those of a plan.
    package init(_ plan: Plan) {
        experiments = plan.experiments
        requiresNone = plan.experiments.indices.map { plan.required(by: $0).isEmpty }
        rivals = plan.experiments.indices.map(plan.rivals)
        layers = plan.layers.map(\.name)
        shared = CanonicalShared(plan.definitions)
        scopes = plan.definitions.holdouts.map(\.scope)
    }

    /// The same for a plan whose experiments have these earlier indices; `nil` where the definition is another.
    package func matched(_ indices: [Int?]) -> EarlierExperiments {
        var matched = self
        matched.indices = indices
        return matched
    }

    /// By experiment what is the same as before; `nil` where it may not be.
    func reusable(in definitions: Definitions, rivals: [[Int]]) -> [Plan.Experiment?] {
        let count = definitions.experiments.count
        guard indices.count == count, layers.elementsEqual(definitions.layers.map(\.name)),
            shared == CanonicalShared(definitions), scopes == definitions.holdouts.map(\.scope)
        else { return Array(repeating: nil, count: count) }
        return indices.enumerated().map { index, earlier in
            guard let earlier, requiresNone[earlier],
                self.rivals[earlier].elementsEqual(rivals[index], by: { $0 == indices[$1] })
            else { return nil }
            return experiments[earlier]
        }
    }
}
