import AllotConfiguration

/// Definitions after validation, compiled for evaluation: immutable, to be shared freely and replaced whole.
///
/// ```swift
/// import Allot
///
/// let plan = try Plan.load(folder: "Experiments")
/// let subject = Subject(id: "user-42", attributes: ["country": "DE"])
/// for assignment in plan.assignments(for: subject, at: .now) {
///     print(assignment.experiment, assignment.variant ?? "none", assignment.reason.text)
/// }
/// ```
public final class Plan: Sendable {
    /// All experiments in the order of their keys' bytes.
    public let experiments: [Experiment]
    /// All layers in the order of their names.
    public let layers: [Layer]
    /// All holdouts in the order of their names.
    public let holdouts: [Holdout]
    /// The attributes that decisions depend on, unit IDs among them.
    public let attributes: AttributeTable
    /// 16 hexadecimal digits of the SHA-256 of the canonical definitions: it changes exactly when behaviour can.
    public let revision: String
    package let definitions: Definitions
    package let base: ConfigurationDocument
    /// For each experiment the index of the attribute that holds its unit ID; `nil` without a draw, and for a unit of
    /// several attributes.
    package let unitAttributes: [Int?]
    /// For each experiment the indices of the attributes whose values are joined to its unit ID; none for others.
    package let unitParts: [[Int]]
    /// For each experiment the units that its definition forces, whatever its status.
    package let forcedUnits: [ByteTable]
    private let boundaries: [Instant]
    private let windows: [LiveWindows]
    let compiled: CompiledPlan
    let template: ConfigurationTemplate
    let variantOrder: VariantOrder

    /// An experiment, with its revision.
    public typealias Experiment = ExperimentDefinition
    /// One arm of an experiment.
    public typealias Variant = VariantDefinition
    /// A set of mutually exclusive experiments.
    public typealias Layer = LayerDefinition
    /// A share of units that no covered experiment may touch.
    public typealias Holdout = HoldoutDefinition

    package func hasVariant(_ variant: String, of experiment: String, salt: String) -> Bool {
        guard let index = index(of: experiment), let own = experiments[index].salt, UTF8Order.areEqual(own, salt)
        else { return false }
        return experiments[index].variants.contains { UTF8Order.areEqual($0.key, variant) }
    }

    /// The next instant at which a decision can change: a start, an end, a traffic step or the start of a window of a
    /// running experiment.
    /// Between an instant and its next boundary the same attributes give the same answer.
    ///
    /// ```swift
    /// /// How long an answer may be kept, in whole seconds.
    /// func lifetime(_ plan: Plan, at now: Instant) -> Int64 {
    ///     plan.nextBoundary(after: now).map { min($0.seconds - now.seconds, 3600) } ?? 3600
    /// }
    /// ```
    ///
    /// Returns `nil` if nothing changes with time any more. Complexity: O(log *n* + *p*) for *n* boundaries and *p*
    /// experiments with a period.
    public func nextBoundary(after instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        let next = passed < boundaries.count ? boundaries[passed] : nil
        // Without arrays, as each answer of a server names it.
        return windows.reduce(next) { next, windows in
            guard let own = windows.next(after: instant) else { return next }
            return next.map { min($0, own) } ?? own
        }
    }

    /// The last boundary that has passed at an instant. Returns `nil` if none has.
    package func lastBoundary(at instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        let last = passed > 0 ? boundaries[passed - 1] : nil
        return windows.reduce(last) { last, windows in
            guard let own = windows.last(at: instant) else { return last }
            return last.map { max($0, own) } ?? own
        }
    }

    private func passedBoundaries(at instant: Instant) -> Int {
        boundaries.indices.partitionPoint { boundaries[$0] <= instant }
    }

    package func attributeNames(of selection: [Int]) -> [String] {
        compiled.attributes(of: selection).sorted().map { attributes.names[$0] }
    }

    package var instantAttributes: [String] {
        let indices = Set(compiled.conditions.nodes.filter { $0.kind == .instant }.compactMap(\.attribute))
        return indices.sorted().map { attributes.names[$0] }
    }

    package func rivals(of experiment: Int) -> [Int] {
        compiled.experiments[experiment].rivals.positions.map { compiled.rivals[$0] }
    }

    /// The index of an experiment in ``experiments``. Returns `nil` if there is none with this key.
    public func index(of key: String) -> Int? { compiled.order.index(of: key) }
    /// Some experiments and all that they require, directly or not, each after those that it requires.
    package func order(of selection: [Int]) -> [Int] { compiled.order.closure(of: selection) }
    package func required(by experiment: Int) -> [Int] { compiled.order.required[experiment] }

    /// The attributes whose values are hashed or forced as unit IDs when some experiments are decided; `nil` for all.
    package func units(of selection: [Int]? = nil) -> Set<String> {
        // All layers and holdouts: whether one of another experiment is hashed makes no difference to a unit's type.
        let decided = selection.map(order) ?? Array(experiments.indices)
        let names = decided.compactMap { experiments[$0].unit } + layers.map(\.unit) + holdouts.map(\.unit)
        return Set(Set(names).flatMap(CompositeUnit.parts(of:)))
    }

    package func layer(of experiment: Int) -> Layer? {
        compiled.experiments[experiment].slots.map { layers[Int($0.layer)] }
    }

    /// Compiles definitions that have been checked: every name in them exists. A plan of other
    /// definitions has no meaning, but compiling them does not trap.
    package init(
        _ written: Definitions, reusing earlier: EarlierExperiments = EarlierExperiments(), on workers: Workers = .none
    ) {
        let order = EvaluationOrder(written.experiments)
        let rivals = written.experiments.rivals
        let revisions = written.experimentRevisions(
            in: order, rivals: rivals, known: earlier.revisions(in: written, rivals: rivals), on: workers)
        var revised = written
        for index in revisions.indices { revised.experiments[index].revision = revisions[index] }
        let definitions = revised
        let (decisions, answers) = workers.both {
            var attributes = AttributeTable()
            let compiled = CompiledPlan(definitions, order: order, rivals: rivals, attributes: &attributes)
            return (compiled: compiled, attributes: attributes)
        } _: {
            workers.both {
                ConfigurationTemplate(definitions)
            } _: {
                definitions.revision(ofExperiments: revisions)
            }
        }
        var template = answers.0
        let revision = answers.1
        var meta = definitions.meta
        meta[MetaKey.formatVersion] = MetaKey.formatVersionValue
        meta[MetaKey.revision] = .string(revision)
        template.add(meta: meta)
        base = ConfigurationDocument(sections: definitions.base, meta: meta)
        self.definitions = definitions
        (experiments, layers, holdouts) = (definitions.experiments, definitions.layers, definitions.holdouts)
        variantOrder = VariantOrder(experiments)
        (compiled, attributes) = decisions
        (self.template, self.revision) = (template, revision)
        unitAttributes = decisions.compiled.experiments.map(\.unit.attribute)
        unitParts = decisions.compiled.experiments.map { experiment in
            experiment.unit.composite.map { decisions.compiled.composites[$0] } ?? []
        }
        forcedUnits = experiments.indices.map { index in
            let forced = definitions.experiments[index].forced
            return forced.isEmpty ? .empty : ByteTable(forced.map { (key: Array($0.unitID.utf8), value: 0) })
        }
        boundaries = Set(experiments.indices.flatMap { definitions.experiments[$0].boundaries }).sorted()
        windows = experiments.indices.compactMap { definitions.experiments[$0].liveWindows }
    }
}
