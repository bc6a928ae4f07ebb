import AllotConfiguration

/// The part of a plan that evaluation reads: for each experiment what its checks need, in trivial values and flat
/// pools, so that a decision counts no references.
struct CompiledPlan: Sendable {
    let experiments: [CompiledExperiment]
    /// By experiment; apart from the others, which are copied for each decision.
    let salts: [SaltedHash]
    let foreignHashes: [ForeignHash]
    /// By experiment; apart from the others like the salts.
    let periods: [Period?]
    /// The indices of the attributes that make up each unit of several.
    let composites: [[Int]]
    let schedules: [Schedule]
    /// By experiment, within its schedule.
    let steps: [Traffic]
    let layers: [CompiledGate]
    let holdouts: [CompiledGate]
    let forcedUnits: [ForcedUnits]
    let conditions: ConditionProgram
    let order: EvaluationOrder
    let slots: Pool<Range<Int>>
    let holdoutIndices: Pool<Int>
    let requirements: Pool<CompiledRequirement>
    let requiredVariants: Pool<Int>
    let rivals: Pool<Int>
    let owners: Pool<BucketOwner>

    init(
        _ definitions: Definitions, order: EvaluationOrder, rivals rivalIndices: [[Int]],
        attributes: inout AttributeTable
    ) {
        let written = definitions.experiments
        let layerIndices = Dictionary(definitions.layers.enumerated().map { ($1.name, $0) }) { first, _ in first }
        self.order = order
        var foreignHashes: [ForeignHash] = []
        salts = written.indices.map { written[$0].hash.map { SaltedHash($0) } ?? SaltedHash() }
        periods = written.indices.map { written[$0].draw?.period }
        schedules = written.indices.map { written[$0].schedule }
        let steps = written.indices.map { written[$0].traffic.limited(to: written[$0].schedule) }
        var compiler = ConditionCompiler()
        let audiences = written.indices.map { written[$0].audience.compile(&compiler, &attributes) }
        conditions = ConditionProgram(compiler)
        var units = UnitTable()
        layers = definitions.layers.map {
            CompiledGate(unit: units.enter($0.unit, &attributes), $0.hash, share: 0, &foreignHashes)
        }
        holdouts = definitions.holdouts.map {
            CompiledGate(unit: units.enter($0.unit, &attributes), $0.hash, share: $0.share, &foreignHashes)
        }
        var slots = Pool<Range<Int>>()
        var holdoutIndices = Pool<Int>()
        var requirements = Pool<CompiledRequirement>()
        var requiredVariants = Pool<Int>()
        var rivals = Pool<Int>()
        var owners = Pool<BucketOwner>()
        experiments = written.indices.map { index in
            let definition = written[index]
            let required = definition.requirements.compactMap { requirement -> CompiledRequirement? in
                guard let other = order.index(of: requirement.experiment) else { return nil }
                return CompiledRequirement(
                    requirement, experiment: other, variants: written[other].variants, &requiredVariants)
            }
            return CompiledExperiment(
                definition, unit: definition.unit.map { units.enter($0, &attributes) } ?? .none, traffic: steps[index],
                audience: audiences[index], foreignHash: definition.hash.flatMap { foreignHashes.append($0) },
                slots: definition.layer.flatMap { layerIndices[$0] }.map {
                    CompiledSlots(layer: Int32($0), slots: slots.append(definition.slots))
                },
                holdouts: holdoutIndices.append(
                    definitions.holdouts.indices.filter { definitions.holdouts[$0].covers(definition) }),
                requirements: requirements.append(required), rivals: rivals.append(rivalIndices[index]),
                owners: owners.append(BucketOwner.owners(definition.variants)))
        }
        (self.foreignHashes, self.steps) = (foreignHashes, steps)
        (self.slots, self.holdoutIndices, self.requirements) = (slots, holdoutIndices, requirements)
        (self.requiredVariants, self.rivals, self.owners) = (requiredVariants, rivals, owners)
        forcedUnits = ForcedUnits.tables(of: written, &units, &attributes)
        composites = units.composites
    }

    /// The indices of the attributes that decisions of some experiments read, those that they require included.
    func attributes(of selection: [Int]) -> Set<Int> {
        var found = Set(forcedUnits.flatMap { attributes(of: $0.unit) })
        for index in order.closure(of: selection) {
            let experiment = experiments[index]
            found.formUnion(attributes(of: experiment.unit))
            if let slots = experiment.slots { found.formUnion(attributes(of: layers[Int(slots.layer)].unit)) }
            for position in experiment.holdouts.positions {
                found.formUnion(attributes(of: holdouts[holdoutIndices[position]].unit))
            }
            guard let root = experiment.audience.map(Int.init) else { continue }
            for node in conditions.nodes[root..<Int(conditions.nodes[root].end)] {
                if let attribute = node.attribute { found.insert(attribute) }
            }
        }
        return found
    }

    /// The indices of the attributes that make up a unit ID.
    private func attributes(of unit: UnitSource) -> [Int] {
        unit.composite.map { composites[$0] } ?? unit.attribute.map { [$0] } ?? []
    }
}

/// The compiled form of an experiment, without a reference.
struct CompiledExperiment: Sendable {
    let status: ExperimentStatus
    let keepsBucket: Bool
    let bucketChecks: BucketChecks
    /// The checks that can decide it for some unit.
    let checks: CheckSet
    /// The source of its unit IDs; none if it randomises nothing.
    let unit: UnitSource
    /// The number of first buckets that are enrolled, or ``trafficOfSteps``.
    let traffic: Int32
    let winner: Int32?
    /// The root of the audience condition; `nil` for everyone.
    let audience: Int32?
    /// The index of another system's hash; `nil` for Allot's own.
    let foreignHash: Int32?
    let slots: CompiledSlots?
    let holdouts: Pool<Int>.Part
    let requirements: Pool<CompiledRequirement>.Part
    let rivals: Pool<Int>.Part
    let owners: Pool<BucketOwner>.Part
    /// Whether Allot's own hash is made under its salt for most of the units that reach its layer and holdouts.
    let drawsMostUnits: Bool
    /// Stands for a traffic that steps change with time: no bucket is below it.
    static let trafficOfSteps: Int32 = -1
    /// Whether its units are hashed one after another: by another system's hash, or with the number of a window.
    let drawsOneByOne: Bool

    @inline(__always) var draws: Bool { unit != .none }

    init(
        _ definition: ExperimentDefinition, unit: UnitSource, traffic: Traffic, audience: Int32?, foreignHash: Int32?,
        slots: CompiledSlots?, holdouts: Pool<Int>.Part, requirements: Pool<CompiledRequirement>.Part,
        rivals: Pool<Int>.Part, owners: Pool<BucketOwner>.Part
    ) {
        status = definition.status
        self.unit = unit
        drawsOneByOne = foreignHash != nil || definition.draw?.period != nil
        self.traffic = traffic.steps.isEmpty ? Int32(traffic.initial) : Self.trafficOfSteps
        winner = definition.winnerIndex.map(Int32.init)
        (self.audience, self.foreignHash, self.slots, self.holdouts) = (audience, foreignHash, slots, holdouts)
        (self.requirements, self.rivals, self.owners) = (requirements, rivals, owners)
        let slotCount = slots == nil ? Bucketing.bucketCount : definition.slots.reduce(0) { $0 + $1.count }
        drawsMostUnits =
            definition.isRandomised && !drawsOneByOne && unit.attribute != nil && slotCount >= Bucketing.bucketCount / 2
        keepsBucket = definition.hash?.scheme.fitsDecision ?? true
        let checks = CheckSet { check in
            switch check {
            case .unit: definition.draw != nil
            case .paused: definition.status == .paused
            case .forced: definition.forcesAnyUnit
            case .draft: definition.status == .draft
            case .displacement: !rivals.isEmpty
            case .schedule: definition.status == .running && definition.schedule.isLimited
            case .holdout: !holdouts.isEmpty
            case .slot: definition.status == .running && slots != nil
            case .requirement: !requirements.isEmpty
            case .audience: audience != nil
            case .conclusion: definition.status == .concluded || definition.draw == nil
            // A traffic of all units refuses none. Another system's hash gives one number, which the split reads.
            case .traffic: definition.isRandomised && foreignHash == nil && traffic != .constant(Bucketing.bucketCount)
            case .split: definition.isRandomised
            }
        }
        self.checks = checks
        bucketChecks = BucketChecks(checks)
    }
}

/// Something that hashes a unit apart from the experiments: a layer or a holdout.
struct CompiledGate: Sendable {
    let unit: UnitSource
    let salt: SaltedHash
    /// The index of another system's hash; `nil` for Allot's own.
    let foreignHash: Int32?
    /// The number of buckets that a holdout holds out; unused for a layer.
    let share: Int

    init(unit: UnitSource, _ hash: UnitHash, share: Int, _ foreignHashes: inout [ForeignHash]) {
        self.unit = unit
        salt = SaltedHash(hash)
        foreignHash = foreignHashes.append(hash)
        self.share = share
    }
}

extension SaltedHash {
    /// Prepares the salt of Allot's own hash; of another system's nothing, as it is never read.
    fileprivate init(_ hash: UnitHash) {
        switch hash {
        case .sha256(let salt): self.init(salt)
        case .other: self.init()
        }
    }
}

extension [ForeignHash] {
    /// Adds another system's hash and returns its index. Returns `nil` for Allot's own.
    fileprivate mutating func append(_ hash: UnitHash) -> Int32? {
        guard case .other(let foreign) = hash else { return nil }
        append(foreign)
        return Int32(count - 1)
    }
}

/// The lists of many experiments, one after another.
struct Pool<Element: Sendable>: Sendable {
    /// The positions of one list.
    struct Part: Sendable {
        private let start: Int32
        private let end: Int32

        fileprivate init(_ positions: Range<Int>) {
            (start, end) = (Int32(positions.lowerBound), Int32(positions.upperBound))
        }

        @inline(__always) var isEmpty: Bool { start == end }
        @inline(__always) var positions: Range<Int> { Int(start)..<Int(end) }
    }

    fileprivate(set) var elements: [Element] = []

    mutating func append(_ list: [Element]) -> Part {
        elements.append(contentsOf: list)
        return Part(elements.count - list.count..<elements.count)
    }

    @inline(__always) subscript(position: Int) -> Element { elements[position] }
}

extension Condition {
    /// Compiles an audience. Returns `nil` for everyone.
    fileprivate func compile(_ compiler: inout ConditionCompiler, _ attributes: inout AttributeTable) -> Int32? {
        if case .all(let parts) = self, parts.isEmpty { return nil }
        return Int32(compiler.append(self, attributes: &attributes))
    }
}
