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

    /// What the plan was compiled from, for translations into other languages.
    package let definitions: Definitions
    /// The configuration before any override.
    package let base: ConfigurationDocument
    /// For each experiment the index of the attribute that holds its unit ID; `nil` without a draw.
    package let unitAttributes: [Int?]
    /// For each experiment the units that its definition forces, whatever its status.
    package let forcedUnits: [ByteTable]
    /// The instants at which decisions can change, in order.
    private let boundaries: [Instant]
    let compiled: CompiledPlan
    let template: ConfigurationTemplate
    /// The order of variants that fingerprints and samples go by.
    let variantOrder: VariantOrder

    /// An experiment as the plan knows it.
    public struct Experiment: Sendable {
        /// The file's name without its ending.
        public let key: String
        /// Whether it enrols.
        public let status: ExperimentStatus
        /// What is drawn; `nil` for `unit: none`, where everyone in the audience gets the one variant.
        public let draw: UnitDraw?
        /// The index of its layer, if it is in one.
        public let layer: Int?
        /// Its slots of the layer, in order.
        public let slots: [Range<Int>]
        /// The share of eligible units that is enrolled.
        public let traffic: Traffic
        /// The instant from which it is live; `nil` if it always has been.
        public let starts: Instant?
        /// The instant from which it is no longer live; `nil` if it never ends.
        public let ends: Instant?
        /// In the order of the definition.
        public let variants: [Variant]
        /// The index of the winner of a concluded experiment, if there is one.
        public let winner: Int?
        /// 16 hexadecimal digits that change exactly when its decisions or overrides can.
        public let revision: String
        /// Whether any unit is forced.
        public let forcesUnits: Bool

        /// The attribute that holds the unit ID; `nil` without a draw.
        public var unit: String? { draw?.unit }

        /// How its units are randomised, with the salt; `nil` without a draw.
        public var hash: UnitHash? { draw?.hash }

        /// What its hashes are salted with; `nil` without a draw.
        public var salt: String? { draw?.hash.salt }

        /// When it is live.
        package var schedule: Schedule { Schedule(starts: starts, ends: ends) }

        /// The instants at which its decisions can change: its start, its end, and the steps of its traffic between
        /// them.
        package var boundaries: [Instant] {
            guard status == .running else { return [] }
            return [starts, ends].compactMap { $0 } + traffic.limited(to: schedule).steps.map(\.from)
        }

        /// The reason why no unit can be assigned a variant at an instant, as far as the definition alone tells.
        /// Returns `nil` if some unit could be assigned one.
        ///
        /// - Parameter instant: the instant of evaluation; `nil` for any, where each unit may have its own.
        package func obstacle(at instant: Instant?) -> Reason? {
            for check in Check.allCases {
                switch check {
                case .paused: if status == .paused { return .paused }
                case .forced: if forcesUnits { return nil }
                case .draft: if status == .draft { return .draft }
                case .schedule:
                    if status == .running, let instant, let reason = schedule.reason(at: instant) { return reason }
                case .conclusion: if status == .concluded { return winner == nil ? .concluded : nil }
                case .traffic: if (instant.map(traffic.share) ?? traffic.highestShare) == 0 { return .traffic }
                // These depend on the unit.
                case .unit, .displacement, .holdout, .slot, .requirement, .audience, .split: continue
                }
            }
            return nil
        }
    }

    /// One arm of an experiment.
    public struct Variant: Sendable {
        /// What assignments name it by.
        public let key: String
        /// The second buckets that it owns, or those of another system's hash, in order; none without a draw.
        public let buckets: [Range<Int>]
        /// Sections of settings: an object of objects.
        public let overrides: JSONObject
        /// What it overrides, as `Section.Setting`, in byte order.
        public let settings: [String]

        /// The number of buckets that it owns, of the experiment's ``UnitHash/resolution``.
        public var bucketCount: Int {
            buckets.reduce(0) { $0 + $1.count }
        }
    }

    /// A set of mutually exclusive experiments.
    public struct Layer: Sendable {
        /// What definitions name it by.
        public let name: String
        /// How units get their slots.
        public let hash: UnitHash
        /// The attribute that holds the unit ID.
        public let unit: String
    }

    /// A share of units that no covered experiment may touch.
    public struct Holdout: Sendable {
        /// What definitions and `meta` name it by.
        public let name: String
        /// How units are held out.
        public let hash: UnitHash
        /// The attribute that holds the unit ID.
        public let unit: String
        /// The number of buckets that are held out: of first buckets, or of those of another system's hash.
        public let share: Int
    }

    /// Whether an experiment has a variant, and is randomised with a salt.
    package func hasVariant(_ variant: String, of experiment: String, salt: String) -> Bool {
        guard let index = index(of: experiment), let own = experiments[index].salt, UTF8Order.areEqual(own, salt)
        else { return false }
        return experiments[index].variants.contains { UTF8Order.areEqual($0.key, variant) }
    }

    /// The next instant at which a decision can change: a start, an end or a traffic step of a running experiment.
    /// Between an instant and its next boundary the same attributes give the same answer.
    ///
    /// ```swift
    /// /// How long an answer may be kept, in whole seconds.
    /// func lifetime(_ plan: Plan, at now: Instant) -> Int64 {
    ///     plan.nextBoundary(after: now).map { min($0.seconds - now.seconds, 3600) } ?? 3600
    /// }
    /// ```
    ///
    /// Returns `nil` if nothing changes with time any more. Complexity: O(log *n*) for *n* boundaries.
    public func nextBoundary(after instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        return passed < boundaries.count ? boundaries[passed] : nil
    }

    /// The last boundary that has passed at an instant. Returns `nil` if none has.
    package func lastBoundary(at instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        return passed > 0 ? boundaries[passed - 1] : nil
    }

    /// The number of boundaries at or before an instant.
    private func passedBoundaries(at instant: Instant) -> Int {
        var (low, high) = (0, boundaries.count)
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The names of the attributes that decisions of some experiments read, in the order of ``attributes``.
    ///
    /// - Parameter selection: indices of experiments.
    public func attributeNames(of selection: [Int]) -> [String] {
        compiled.attributes(of: selection).sorted().map { attributes.names[$0] }
    }

    /// The names of the attributes that conditions read as instants, in the order of ``attributes``.
    package var instantAttributes: [String] {
        let indices = Set(compiled.conditions.nodes.filter { $0.kind == .instant }.compactMap(\.attribute))
        return indices.sorted().map { attributes.names[$0] }
    }

    /// The experiments whose forced units an experiment leaves alone.
    package func rivals(of experiment: Int) -> [Int] {
        compiled.experiments[experiment].rivals.positions.map { compiled.rivals[$0] }
    }

    /// The index of an experiment in ``experiments``. Returns `nil` if there is none with this key.
    public func index(of key: String) -> Int? {
        compiled.order.index(of: key)
    }

    /// Some experiments and all that they require, directly or not, each after those that it requires.
    package func order(of selection: [Int]) -> [Int] {
        compiled.order.closure(of: selection)
    }

    /// The experiments that an experiment requires.
    package func required(by experiment: Int) -> [Int] {
        compiled.order.required[experiment]
    }

    /// The attributes whose values are hashed or forced as unit IDs when some experiments are decided; `nil` for all.
    package func units(of selection: [Int]? = nil) -> Set<String> {
        // All layers and holdouts: whether one of another experiment is hashed makes no difference to a unit's type.
        let decided = selection.map(order) ?? Array(experiments.indices)
        return Set(decided.compactMap { experiments[$0].unit } + layers.map(\.unit) + holdouts.map(\.unit))
    }

    /// Compiles definitions that have been checked: every name in them exists. A plan of other
    /// definitions has no meaning, but compiling them does not trap.
    ///
    /// - Parameters:
    ///   - earlier: What was compiled before.
    ///   - workers: The threads to do it on.
    package init(
        _ definitions: Definitions, reusing earlier: EarlierExperiments = EarlierExperiments(),
        on workers: Workers = .none
    ) {
        self.definitions = definitions
        let layerIndices = Dictionary(definitions.layers.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let order = EvaluationOrder(definitions.experiments)
        let rivals = RivalTable(definitions.experiments).rivals
        let reused = earlier.reusable(in: definitions, rivals: rivals)
        let revisions = definitions.experimentRevisions(
            in: order, rivals: rivals, known: reused.map { $0?.revision }, on: workers)

        // Here and elsewhere by index, because a definition is large to copy.
        let experiments = definitions.experiments.indices.map { index in
            reused[index]
                ?? Experiment(
                    definitions.experiments[index],
                    layer: definitions.experiments[index].layer.flatMap { layerIndices[$0] }, revision: revisions[index]
                )
        }
        let holdouts = definitions.holdouts.map {
            Holdout(name: $0.name, hash: $0.hash, unit: $0.unit, share: $0.share)
        }
        let (decisions, answers) = workers.both {
            var attributes = AttributeTable()
            let compiled = CompiledPlan(
                definitions, layerIndices: layerIndices, order: order, rivals: rivals, attributes: &attributes)
            return (compiled: compiled, attributes: attributes)
        } _: {
            workers.both {
                ConfigurationTemplate(sections: definitions.base, experiments: experiments, holdouts: holdouts)
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
        self.experiments = experiments
        variantOrder = VariantOrder(experiments)
        self.holdouts = holdouts
        layers = definitions.layers.map { Layer(name: $0.name, hash: $0.hash, unit: $0.unit) }
        (compiled, attributes) = decisions
        (self.template, self.revision) = (template, revision)
        unitAttributes = decisions.compiled.experiments.map(\.unitAttribute)
        forcedUnits = definitions.experiments.indices.map { index in
            let forced = definitions.experiments[index].forced
            return forced.isEmpty ? .empty : ByteTable(forced.map { (key: Array($0.unitID.utf8), value: 0) })
        }
        boundaries = Set(experiments.indices.flatMap { experiments[$0].boundaries }).sorted()
    }
}

extension Plan.Experiment {
    fileprivate init(_ definition: ExperimentDefinition, layer: Int?, revision: String) {
        key = definition.key
        status = definition.status
        draw = definition.draw
        self.layer = layer
        slots = definition.slots
        traffic = definition.traffic
        starts = definition.starts
        ends = definition.ends
        variants = definition.variants.map(Plan.Variant.init)
        winner = definition.winner.flatMap { winner in definition.variants.firstIndex { $0.key == winner } }
        self.revision = revision
        forcesUnits = definition.forcesAnyUnit
    }
}

extension Plan.Variant {
    fileprivate init(_ definition: VariantDefinition) {
        key = definition.key
        buckets = definition.buckets
        overrides = definition.overrides
        settings = definition.overrides.members.flatMap { section -> [String] in
            guard case .object(let settings) = section.value else { return [] }
            return settings.members.map { SettingPath.text([section.key, $0.key]) }
        }.sorted(by: UTF8Order.precedes)
    }
}
