import AllotConfiguration

/// The part of a plan that evaluation walks: trivial entries and flat pools, so that a decision counts no references.
struct PlanCore: Sendable {
    /// One experiment, as small as it can be, because it is copied for each decision; ranges are indices into the pools.
    struct Entry: Sendable {
        let status: ExperimentStatus
        /// Whether the schedule names a start or an end.
        let hasSchedule: Bool
        let unit: Int32
        let traffic: Int32
        let winner: Int32
        let layer: Int32
        /// The root of the audience condition, or -1 for everyone.
        let audience: Int32
        let slots: Range<Int32>
        let holdouts: Range<Int32>
        let requirements: Range<Int32>
        let rivals: Range<Int32>
        let owners: Range<Int32>
    }

    /// Something that hashes a unit by itself: a layer or a holdout.
    struct Randomisation: Sendable {
        let unit: Int
        let salt: SaltedHash
        /// A holdout's number of buckets; unused for a layer.
        let share: Int
    }

    /// The second buckets of one variant, or a part of them.
    struct Owner: Sendable {
        let lowerBound: Int
        let upperBound: Int
        let variant: Int
    }

    struct Requirement: Sendable {
        let experiment: Int
        let variants: Range<Int32>
    }

    /// The unit IDs of one attribute that are forced anywhere.
    struct ForcedTable: Sendable {
        let unit: Int
        /// Unit ID to an index of `lists`.
        let units: ByteTable
        let lists: [[Forced]]
    }

    struct Forced: Sendable {
        let experiment: Int
        let variant: Int
    }

    private(set) var entries: [Entry] = []
    /// By experiment; apart from the entries, which are copied.
    let salts: [SaltedHash]
    private(set) var layers: [Randomisation] = []
    private(set) var holdouts: [Randomisation] = []
    private(set) var forcedTables: [ForcedTable] = []
    let conditions: ConditionProgram
    let order: EvaluationOrder

    private(set) var slotPool: [Range<Int>] = []
    private(set) var holdoutPool: [Int] = []
    private(set) var requirementPool: [Requirement] = []
    private(set) var variantPool: [Int] = []
    private(set) var rivalPool: [Int] = []
    private(set) var ownerPool: [Owner] = []

    init(
        _ definitions: Definitions, layerIndices: [String: Int], order: EvaluationOrder, rivals: [[Int]],
        attributes: inout AttributeTable
    ) {
        self.order = order
        let experiments = definitions.experiments
        salts = experiments.map { SaltedHash($0.salt) }
        var compiler = ConditionCompiler()
        let audiences = experiments.map { Self.append($0.audience, to: &compiler, attributes: &attributes) }
        conditions = ConditionProgram(compiler)
        let indices = Dictionary(uniqueKeysWithValues: experiments.enumerated().map { ($1.key, $0) })
        for layer in definitions.layers {
            layers.append(Randomisation(unit: attributes.enter(layer.unit), salt: SaltedHash(layer.salt), share: 0))
        }
        for holdout in definitions.holdouts {
            holdouts.append(
                Randomisation(
                    unit: attributes.enter(holdout.unit), salt: SaltedHash(holdout.salt), share: holdout.share))
        }
        for (index, experiment) in experiments.enumerated() {
            entries.append(
                Entry(
                    status: experiment.status,
                    hasSchedule: experiment.starts != nil || experiment.ends != nil,
                    unit: Int32(attributes.enter(experiment.unit)),
                    traffic: Int32(experiment.traffic),
                    winner: Int32(experiment.variants.firstIndex { $0.key == experiment.winner } ?? -1),
                    layer: Int32(experiment.layer.flatMap { layerIndices[$0] } ?? -1),
                    audience: Int32(audiences[index]),
                    slots: Self.append(experiment.slots, to: &slotPool),
                    holdouts: Self.append(
                        definitions.holdouts.indices.filter { definitions.holdouts[$0].covers(experiment) },
                        to: &holdoutPool),
                    requirements: append(experiment.requirements, indices, experiments),
                    rivals: Self.append(rivals[index], to: &rivalPool),
                    owners: Self.append(Self.owners(experiment.variants), to: &ownerPool)))
        }
        for unit in Set(experiments.map { UTF8Key($0.unit) }).sorted() {
            appendForced(experiments, unit: unit.text, attributes: &attributes)
        }
    }

    private static func append<Element>(_ elements: [Element], to pool: inout [Element]) -> Range<Int32> {
        let start = Int32(pool.count)
        pool.append(contentsOf: elements)
        return start..<Int32(pool.count)
    }

    private static func append(
        _ audience: Condition, to compiler: inout ConditionCompiler, attributes: inout AttributeTable
    ) -> Int {
        if case .all(let parts) = audience, parts.isEmpty { return -1 }
        return compiler.append(audience, attributes: &attributes)
    }

    private mutating func append(
        _ requirements: [ExperimentDefinition.Requirement], _ indices: [String: Int],
        _ experiments: [ExperimentDefinition]
    ) -> Range<Int32> {
        let compiled = requirements.compactMap { requirement -> Requirement? in
            guard let target = indices[requirement.experiment] else { return nil }
            let variants = requirement.variants.compactMap { key in
                experiments[target].variants.firstIndex { $0.key == key }
            }
            return Requirement(experiment: target, variants: Self.append(variants, to: &variantPool))
        }
        return Self.append(compiled, to: &requirementPool)
    }

    private static func owners(_ variants: [VariantDefinition]) -> [Owner] {
        variants.enumerated().flatMap { index, variant in
            variant.buckets.map { Owner(lowerBound: $0.lowerBound, upperBound: $0.upperBound, variant: index) }
        }
        .filter { $0.lowerBound < $0.upperBound }
        .sorted { $0.lowerBound < $1.lowerBound }
    }

    private mutating func appendForced(
        _ experiments: [ExperimentDefinition], unit: String, attributes: inout AttributeTable
    ) {
        var positions: [UTF8Key: Int] = [:]
        var lists: [[Forced]] = []
        for (index, experiment) in experiments.enumerated()
        where experiment.forcesUnits && UTF8Order.areEqual(experiment.unit, unit) {
            for forced in experiment.forced {
                guard let variant = experiment.variants.firstIndex(where: { $0.key == forced.variant }) else {
                    continue
                }
                let position = positions[UTF8Key(forced.unitID)] ?? lists.count
                if position == lists.count { lists.append([]) }
                positions[UTF8Key(forced.unitID)] = position
                lists[position].append(Forced(experiment: index, variant: variant))
            }
        }
        guard !lists.isEmpty else { return }
        let units = ByteTable(positions.map { (key: Array($0.key.text.utf8), value: $0.value) })
        forcedTables.append(ForcedTable(unit: attributes.enter(unit), units: units, lists: lists))
    }

    /// The indices of the attributes that decisions of some experiments look at, those they require included.
    func attributes(of selection: [Int]) -> Set<Int> {
        var found: Set<Int> = Set(forcedTables.map(\.unit))
        for index in order.closure(of: selection) {
            let entry = entries[index]
            found.insert(Int(entry.unit))
            if entry.layer >= 0 { found.insert(layers[Int(entry.layer)].unit) }
            for holdout in entry.holdouts { found.insert(holdouts[holdoutPool[Int(holdout)]].unit) }
            guard entry.audience >= 0 else { continue }
            for node in conditions.nodes[Int(entry.audience)..<Int(conditions.nodes[Int(entry.audience)].end)]
            where node.kind.isTest && node.attribute >= 0 {
                found.insert(Int(node.attribute))
            }
        }
        return found
    }
}
