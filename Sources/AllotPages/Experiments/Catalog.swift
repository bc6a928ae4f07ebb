public import AllotCore
public import AllotDefinitions

/// The experiments of a plan, described for people at one instant with all that they say.
///
/// Each is described when it is read, so that a catalogue of thousands of experiments costs next to nothing.
///
/// ```swift
/// import Allot
/// import AllotPages
///
/// let catalog = Catalog(try Plan.load(folder: "Experiments"), at: .now)
/// for experiment in catalog.experiments where experiment.phase == .running {
///     print(experiment.key, experiment.owner ?? "no owner", experiment.schedule)
/// }
/// ```
public struct Catalog: Sendable {
    /// The plan that is described.
    public let plan: Plan
    /// The instant at which it is described.
    public let instant: Instant
    /// The warnings about its definitions.
    public let warnings: [DefinitionProblem]
    private let warningsByName: [String: [DefinitionProblem]]

    /// Describes a plan at an instant.
    ///
    /// - Parameters:
    ///   - plan: The plan of the definitions.
    ///   - warnings: The warnings about its definitions, for pages.
    ///   - instant: The instant for which states are shown.
    public init(_ plan: Plan, warnings: [DefinitionProblem] = [], at instant: Instant) {
        (self.plan, self.warnings, self.instant) = (plan, warnings, instant)
        warningsByName = Dictionary(grouping: warnings) { $0.definedName ?? "" }
    }

    /// All experiments in the order of their keys.
    public var experiments: [CatalogEntry] { plan.experiments.indices.map { CatalogEntry(plan, $0, at: instant) } }

    /// The experiment with a key. Returns `nil` if there is none.
    public func experiment(_ key: String) -> CatalogEntry? {
        plan.index(of: key).map { CatalogEntry(plan, $0, at: instant) }
    }
}

extension Catalog {
    /// The experiment whose file has a warning. Returns `nil` if it is another file.
    func experimentKey(of warning: DefinitionProblem) -> String? {
        warning.definedName.flatMap { plan.index(of: $0) == nil ? nil : $0 }
    }

    package func warnings(about key: String) -> [DefinitionProblem] { warningsByName[key] ?? [] }

    package func experiments(_ keys: [String]) throws(UnknownExperiment) -> [CatalogEntry] {
        try plan.experimentIndices(of: keys).map { $0.map { CatalogEntry(plan, $0, at: instant) } } ?? experiments
    }
}
