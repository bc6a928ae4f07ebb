import AllotConfiguration
import AllotCore

extension HoldoutDefinition {
    /// For each of some experiments the shares that its variants have, once the holdout ends, of the units in the
    /// audience: as many of those that were held out come back to them.
    package func returningShares(
        to experiments: some Sequence<ExperimentDefinition>, in plan: Plan, at instant: Instant
    ) -> [[ExactShare]] {
        var definitions = plan.definitions
        definitions.holdouts.removeAll { UTF8Order.areEqual($0.name, name) }
        let index = DefinitionsIndex(definitions)
        return experiments.map { AssignmentRegions($0, in: index, at: instant).shares }
    }
}
