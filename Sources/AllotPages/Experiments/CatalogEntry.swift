import AllotAnalysis
public import AllotConfiguration
public import AllotCore

/// An experiment described for people at an instant.
public struct CatalogEntry: Sendable {
    package let plan: Plan
    package let index: Int
    /// The instant at which it is described.
    public let instant: Instant

    package init(_ plan: Plan, _ index: Int, at instant: Instant) {
        (self.plan, self.index, self.instant) = (plan, index, instant)
    }

    /// As the plan has it.
    public var experiment: Plan.Experiment { plan.experiments[index] }
    /// The experiment's key.
    public var key: String { experiment.key }
    /// The owner, who answers for it; `nil` if its definition does not say so.
    public var owner: String? { experiment.owner }
    /// The description; `nil` if its definition does not say so.
    public var description: String? { experiment.description }
    /// The phase at the instant.
    public var phase: ExperimentPhase { experiment.phase(at: instant) }
    /// The name of its layer; `nil` without one.
    public var layer: String? { experiment.layer }
    /// Its slots of the layer as definitions write them; `nil` without a layer.
    public var slots: String? { plan.layer(of: index).map { $0.hash.text(experiment.slots) } }

    /// The holdouts that keep units out of it.
    public var holdouts: [Plan.Holdout] {
        plan.definitions.holdouts.indices.filter { plan.definitions.holdouts[$0].covers(experiment) }
            .map { plan.holdouts[$0] }
    }

    /// The variants that a unit has to be assigned elsewhere, such as `b of search`, in the order of their keys.
    package var requirements: [String] {
        experiment.requirements.map { requirement in
            switch requirement.admitted {
            case .noVariant: "no variant of \(requirement.experiment)"
            case .variants(let variants): "\(variants.joined(separator: " or ")) of \(requirement.experiment)"
            }
        }
    }

    /// The audience in words, indented below connectives, a line for each test. Empty if it is everyone.
    public var audience: [String] {
        experiment.audience.lines.map { String(repeating: "  ", count: $0.depth) + $0.text }
    }

    /// How its units are randomised: `user_id, salt checkout`, and anew in each window: `, anew every 1h from …`.
    package var randomisation: String {
        guard let draw = experiment.draw else { return "none: everyone in the audience gets the one variant" }
        return "\(draw.unit), \(draw.hash.words)" + (draw.period.map { ", anew \($0.text)" } ?? "")
    }

    /// The share of eligible units that is enrolled at the instant, since when, and the next step; `nil` unless the
    /// status is running and units are randomised.
    public var traffic: String? {
        experiment.status == .running && experiment.draw != nil ? experiment.traffic.text(at: instant) : nil
    }

    package var forcedCount: Int { experiment.forcesUnits ? experiment.forced.count : 0 }
    /// Its variants in the order of the definition.
    public var variants: [CatalogVariant] { experiment.variants.indices.map { CatalogVariant(self, $0) } }

    /// The settings that some variant overrides, as `Section.Setting`, in the order of their bytes.
    public var settings: [String] {
        Set(experiment.variants.flatMap(\.settings).map(UTF8Key.init)).sorted().map(\.text)
    }
}
