/// The experiments of an earlier plan, for a plan of nearly the same definitions: only revisions that may differ are
/// computed anew.
package struct EarlierExperiments: Sendable {
    private var revisions: [String] = []
    /// By experiment whether its revision says nothing of experiments that it requires.
    private var requiresNone: [Bool] = []
    /// By experiment those whose forced units it leaves alone, which are part of its revision.
    private var rivals: [[Int]] = []
    private var shared: CanonicalShared?
    /// By holdout the experiments and layers that it covers.
    private var scopes: [HoldoutDefinition.Scope?] = []
    /// By new experiment the index of the earlier one with an equal definition.
    private var indices: [Int?] = []

    package init() {}

    package init(_ plan: Plan) {
        revisions = plan.experiments.indices.map { plan.experiments[$0].revision }
        requiresNone = plan.experiments.indices.map { plan.required(by: $0).isEmpty }
        rivals = plan.experiments.indices.map(plan.rivals)
        shared = CanonicalShared(plan.definitions)
        scopes = plan.definitions.holdouts.map(\.scope)
    }

    /// These experiments for a plan whose own have these indices here; `nil` where the definition is another.
    package func matched(_ indices: [Int?]) -> EarlierExperiments {
        var matched = self
        matched.indices = indices
        return matched
    }

    /// By experiment the revision; `nil` where it may differ from the earlier one.
    func revisions(in definitions: Definitions, rivals: [[Int]]) -> [String?] {
        let count = definitions.experiments.count
        guard indices.count == count, shared == CanonicalShared(definitions),
            scopes == definitions.holdouts.map(\.scope)
        else { return Array(repeating: nil, count: count) }
        return indices.enumerated().map { index, earlier in
            guard let earlier, requiresNone[earlier],
                self.rivals[earlier].elementsEqual(rivals[index], by: { $0 == indices[$1] })
            else { return nil }
            return revisions[earlier]
        }
    }
}
