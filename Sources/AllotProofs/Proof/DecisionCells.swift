import AllotConfiguration
import AllotCore

/// Units with one decision on an experiment.
struct DecisionCell: Sendable {
    let region: BucketBox
    let outcome: Decision
}

/// Takes all units of a scenario through the gates at once: each gate divides those left by ranges of buckets.
struct DecisionCells {
    let plan: Plan
    let instant: Instant
    let scenario: AudienceSpace.Scenario
    /// The units that the question is about, as far as buckets tell; `nil` if there are none.
    let base: BucketBox?
    private var cells: [Int: [DecisionCell]] = [:]
    /// The experiments whose audience some unit meets.
    private(set) var audiencesReached: Set<Int> = []
    /// Whether there are too many cells to go through.
    private(set) var isTooLarge = false
    static let limit = 20_000
    private var budget = 200_000

    /// The cells of the units whose buckets are pinned.
    init(_ plan: Plan, at instant: Instant, _ scenario: AudienceSpace.Scenario, pins: [TestCase.Pin]) {
        (self.plan, self.instant, self.scenario) = (plan, instant, scenario)
        var base = BucketBox()
        var isEmpty = false
        for pin in pins {
            let (dimension, set) = Self.restriction(pin, plan, at: instant)
            switch scenario.units[dimension.unit] ?? .anyID {
            case .absent:
                // A unit without this ID has no bucket, and is not held out.
                if case .holdout(_, isHeldOut: false) = pin { continue }
                isEmpty = true
            case .anyID, .oneOf: base.restrict(dimension, to: set)
            case .id(let id): if !set.contains(dimension.bucket(of: id)) { isEmpty = true }
            }
        }
        self.base = isEmpty || base.isEmpty ? nil : base
    }

    /// Buckets are those of the window at the instant.
    private static func restriction(
        _ pin: TestCase.Pin, _ plan: Plan, at instant: Instant
    ) -> (BucketDimension, BucketSet) {
        switch pin {
        case .bucket(let dimension, let set): return (dimension.at(instant), set)
        case .holdout(let index, let isHeldOut):
            let holdout = plan.holdouts[index]
            return (holdout.dimension, isHeldOut ? BucketSet([0..<holdout.share]) : holdout.freeBuckets)
        }
    }

    /// The cells of an experiment, which do not overlap; together they are all units of the question.
    mutating func cells(of experiment: Int) -> [DecisionCell] {
        if let known = cells[experiment] { return known }
        let found = base.map { divide(experiment, $0) } ?? []
        cells[experiment] = found
        return found
    }

    /// Notes how many pairs of cells are compared. Returns `false` if they are too many.
    mutating func spend(_ pairs: Int) -> Bool {
        budget -= pairs
        if budget < 0 { isTooLarge = true }
        return !isTooLarge
    }

    /// The units that no gate has decided yet, and those that have been.
    private struct Division {
        var left: [BucketBox]
        var decided: [DecisionCell] = []

        mutating func decideAll(_ outcome: Decision) {
            decided += left.map { DecisionCell(region: $0, outcome: outcome) }
            left = []
        }

        /// Decides the units that are not among those inside.
        mutating func keep(_ parts: (inside: [BucketBox], outside: [BucketBox]), else outcome: Decision) {
            decided += parts.outside.map { DecisionCell(region: $0, outcome: outcome) }
            left = parts.inside
        }
    }

    private mutating func divide(_ index: Int, _ base: BucketBox) -> [DecisionCell] {
        let definition = plan.definitions.experiments[index]
        var units = Division(left: [base])
        let gates = definition.gates(layer: plan.layer(of: index), holdouts: plan.holdouts, at: instant)
        for gate in gates where !units.left.isEmpty && !isTooLarge {
            switch gate {
            case .unit(let unit): if isAbsent(UTF8Key(unit)) { units.decideAll(.none(.noUnit)) }
            case .forced: if let variant = forcedVariant(index) { units.decideAll(.assigned(variant, .forced)) }
            case .displacement:
                if plan.rivals(of: index).contains(where: { forcedVariant($0) != nil }) {
                    units.decideAll(.none(.displaced))
                }
            case .buckets(let dimension, let set, let reason):
                if !isAbsent(dimension.unit) {
                    units.keep(split(units.left, dimension, set), else: .none(reason))
                } else if reason == .slot {
                    units.decideAll(.none(reason))
                }
            case .requirement(let requirement): keepRequired(requirement, &units)
            case .audience:
                audiencesReached.insert(index)
                if !(scenario.isInAudience[index] ?? true) { units.decideAll(.none(.audience)) }
            case .variant(let variant, let dimension, let set):
                let parts = split(units.left, dimension, set)
                units.keep((parts.outside, parts.inside), else: .assigned(variant, .split))
            case .end(let decision): units.decideAll(decision)
            }
            if units.left.count + units.decided.count > Self.limit { isTooLarge = true }
        }
        return units.decided
    }

    private func isAbsent(_ unit: UTF8Key) -> Bool { scenario.units[unit] == .absent }

    /// The variant that an experiment forces on the unit. Returns `nil` if the unit's ID is not known.
    private func forcedVariant(_ index: Int) -> Int? {
        let definition = plan.definitions.experiments[index]
        guard definition.forcesAnyUnit, let unit = definition.unit, case .id(let id)? = scenario.units[UTF8Key(unit)]
        else { return nil }
        let forced = definition.forced.first { UTF8Order.areEqual($0.unitID, id) }
        return forced.flatMap { forced in definition.variants.firstIndex { $0.key == forced.variant } }
    }

    private mutating func keepRequired(_ requirement: ExperimentDefinition.Requirement, _ units: inout Division) {
        guard let other = plan.index(of: requirement.experiment) else { return }
        let variants = plan.experiments[other].variants
        var parts: (inside: [BucketBox], outside: [BucketBox]) = ([], [])
        let otherCells = cells(of: other)
        guard spend(otherCells.count * units.left.count) else { return }
        for cell in otherCells {
            let common = units.left.map { $0.intersection(cell.region) }.filter { !$0.isEmpty }
            if requirement.admits(cell.outcome.variant.map { variants[$0].key }) {
                parts.inside += common
            } else {
                parts.outside += common
            }
        }
        units.keep(parts, else: .none(.requirement))
    }

    /// The parts of regions whose bucket is in a set, and the parts whose bucket is not.
    private func split(
        _ regions: [BucketBox], _ dimension: BucketDimension, _ set: BucketSet
    ) -> (inside: [BucketBox], outside: [BucketBox]) {
        if case .id(let id)? = scenario.units[dimension.unit] {
            return set.contains(dimension.bucket(of: id)) ? (regions, []) : ([], regions)
        }
        func restricted(_ set: BucketSet) -> [BucketBox] {
            regions.map { region in
                var region = region
                region.restrict(dimension, to: set)
                return region
            }.filter { !$0.isEmpty }
        }
        return (restricted(set), restricted(set.complement(in: dimension.resolution)))
    }
}
