/// The randomisation of an experiment's units: each ID of the unit gets a bucket. An experiment with `unit: none` has
/// no draw, and everyone in its audience gets its one variant.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// for experiment in plan.experiments {
///     print(experiment.key, experiment.draw?.unit ?? "randomises nothing")
/// }
/// ```
public struct UnitDraw: Sendable, Hashable {
    /// The attribute that holds the unit ID.
    public package(set) var unit: String
    /// How the units are randomised, with the salt.
    public package(set) var hash: UnitHash

    package init(unit: String, hash: UnitHash) {
        self.unit = unit
        self.hash = hash
    }
}
