import AllotConfiguration
import AllotCore

/// One claim about many units at one instant, to be proved or refuted.
struct Statement {
    let claim: Claim
    let instant: Instant
    let known: JSONObject
    let units: TestCase.UnitSet

    enum Result {
        case proved
        case refuted(Violation)
        /// The reason why it is neither.
        case unproved(String)
    }

    /// Units for which the claim does not hold.
    struct Violation {
        let message: String
        /// The units; `nil` for a share, which is of all of them.
        var region: BucketBox?
        let scenario: AudienceSpace.Scenario
        /// Whether resolutions of one hash leave open that there are such units, or the share.
        var isOpen = false
    }

    /// The experiments that decide whether the claim holds.
    static func experiments(of claim: Claim, in plan: Plan) -> [Int] {
        switch claim.content {
        case .decision(let experiment, _), .share(let experiment, _, _): [experiment]
        case .exclusive(let experiments): experiments
        case .setting(let section, let name, _):
            plan.experiments.indices.filter { index in
                plan.experiments[index].variants.contains { $0.override(section, name) != nil }
            }
        }
    }

    /// Goes through every combination of what attributes can decide. The coverage gets what is reached.
    func result(in space: inout AudienceSpace, _ coverage: inout Coverage?) -> Result {
        let plan = space.plan
        let experiments = Self.experiments(of: claim, in: plan)
        let found = space.scenarios(
            known: known, present: present(experiments, plan), includesForced: units.includesForced)
        guard case .found(let scenarios, let canHold, let canFail) = found else {
            guard case .tooMany(let names) = found else { return .proved }
            return .unproved(
                "there are too many combinations of \(names.joined(separator: ", ")); give some of them in attributes")
        }
        var open: Violation?
        var (isTooLarge, isVacuous) = (false, true)
        var reached: Set<Int> = []
        for scenario in scenarios {
            var cells = DecisionCells(plan, at: instant, scenario, pins: units.pins)
            var violation = violation(&cells, experiments)
            if cells.base != nil, !(isShare && scenario.isRare) { isVacuous = false }
            if cells.isTooLarge {
                isTooLarge = true
                continue
            }
            if violation != nil, !scenario.specificScenarios.isEmpty {
                // The units are few and known, and so are their buckets.
                violation = nil
                for scenario in scenario.specificScenarios where violation == nil {
                    var cells = DecisionCells(plan, at: instant, scenario, pins: units.pins)
                    violation = self.violation(&cells, experiments)
                }
            }
            if scenario.witness != nil, !claim.isTrivial(in: plan) {
                reached.formUnion(cells.audiencesReached)
                coverage?.note(cells: &cells, of: experiments)
            }
            guard let violation else { continue }
            if scenario.witness != nil, !violation.isOpen, coverage == nil { return .refuted(violation) }
            if open.map({ $0.scenario.witness == nil || $0.isOpen }) ?? true { open = violation }
        }
        coverage?.note(space, experiments.filter(reached.contains), canHold: canHold, canFail: canFail)
        if let open, open.scenario.witness != nil { return .refuted(open) }
        if isTooLarge { return .unproved("the ranges of buckets have too many combinations; pin some buckets") }
        if isVacuous {
            return .unproved("no unit has these attributes and buckets, so this says nothing; change or remove some")
        }
        guard let open else { return .proved }
        let free = space.freeAttributes(known).joined(separator: ", ")
        return .unproved(
            "\(open.message) if some value of \(free) passes and fails these tests together, which is not known; "
                + "give it in attributes")
    }

    /// The attributes that the units have: the IDs of the experiments that the claim is about, and what the case says.
    private func present(_ experiments: [Int], _ plan: Plan) -> Set<UTF8Key> {
        func unitIDs(_ experiments: [Int]) -> Set<UTF8Key> {
            Set(experiments.compactMap { plan.experiments[$0].unit.map(UTF8Key.init) })
        }
        switch claim.content {
        case .decision: return units.given.union(unitIDs(experiments))
        // Without a unit of its own the share is one of the units of the experiments that it requires.
        case .share(let experiment, _, _):
            let own = unitIDs([experiment])
            return units.given.union(own.isEmpty ? unitIDs(plan.order(of: [experiment])) : own)
        // A subject without an ID is in no experiment on that unit, but may be in two that have none.
        case .exclusive: return units.given
        case .setting:
            let needsID = experiments.allSatisfy { plan.experiments[$0].unit != nil }
            return needsID ? units.given.union([UTF8Key(Subject.defaultUnit)]) : units.given
        }
    }

    private var isShare: Bool { if case .share = claim.content { true } else { false } }

    private func violation(_ cells: inout DecisionCells, _ experiments: [Int]) -> Violation? {
        let plan = cells.plan
        func text(_ index: Int, _ outcome: Decision) -> String { outcome.text(plan.experiments[index]) }
        switch claim.content {
        case .decision(let experiment, let acceptance):
            let wrong = cells.cells(of: experiment).filter { !acceptance.accepts($0.outcome) }
            guard let cell = wrong.first(where: { !$0.region.isOpen }) ?? wrong.first else { return nil }
            return Violation(
                message: "\(text(experiment, cell.outcome)), expected \(acceptance.words)", region: cell.region,
                scenario: cells.scenario, isOpen: cell.region.isOpen)
        case .share(let experiment, let variant, let stated):
            guard !cells.scenario.isRare, let base = cells.base else { return nil }
            let assigned = cells.cells(of: experiment).filter { $0.outcome.variant == variant }
            let key = variant.map { plan.experiments[experiment].variants[$0].key } ?? "none"
            guard !base.isOpen, !assigned.contains(where: \.region.isOpen) else {
                return Violation(
                    message: "\(plan.experiments[experiment].key) assigns \(key) to a share that is not known, as two "
                        + "resolutions of one hash have no common one, expected exactly \(stated.text)",
                    region: nil, scenario: cells.scenario, isOpen: true)
            }
            let actual = assigned.reduce(ExactShare.none) { $0 + $1.region.share }
            let expected = base.sets.reduce(stated.share) {
                $0.of(buckets: $1.value.count, resolution: $1.key.resolution)
            }
            guard actual != expected else { return nil }
            return Violation(
                message: "\(plan.experiments[experiment].key) assigns \(key) to "
                    + "\(ShareText.percent(actual, of: base)), expected exactly \(stated.text)",
                region: nil, scenario: cells.scenario)
        case .exclusive(let experiments):
            var open: Violation?
            for (position, first) in experiments.enumerated() {
                let assigned = cells.cells(of: first).filter { $0.outcome.variant != nil }
                for second in experiments[(position + 1)...] {
                    let others = cells.cells(of: second)
                    guard cells.spend(assigned.count * others.count) else { return nil }
                    for other in others where other.outcome.variant != nil {
                        for cell in assigned {
                            let both = cell.region.intersection(other.region)
                            guard !both.isEmpty else { continue }
                            let violation = Violation(
                                message: "\(text(first, cell.outcome)) and \(text(second, other.outcome)) for one unit",
                                region: both, scenario: cells.scenario, isOpen: both.isOpen)
                            guard violation.isOpen else { return violation }
                            open = open ?? violation
                        }
                    }
                }
            }
            return open
        case .setting(let section, let name, let value):
            return settingViolation(&cells, experiments, section, name, value)
        }
    }

    /// Goes through the joint decisions of all experiments that override a setting.
    private func settingViolation(
        _ cells: inout DecisionCells, _ experiments: [Int], _ section: String, _ name: String, _ expected: JSONValue
    ) -> Violation? {
        let plan = cells.plan
        guard let base = cells.base else { return nil }
        var parts = [(region: base, value: plan.baseValue(section, name))]
        for index in experiments {
            var joined: [(region: BucketBox, value: JSONValue)] = []
            let own = cells.cells(of: index)
            guard cells.spend(own.count * parts.count) else { return nil }
            for cell in own {
                let override = cell.outcome.variant.flatMap {
                    plan.experiments[index].variants[$0].override(section, name)
                }
                for part in parts {
                    let region = part.region.intersection(cell.region)
                    guard !region.isEmpty else { continue }
                    joined.append((region, override.map(part.value.merging) ?? part.value))
                }
            }
            parts = joined
        }
        let wrong = parts.filter { !$0.value.isEquivalent(to: expected) }
        guard let part = wrong.first(where: { !$0.region.isOpen }) ?? wrong.first else { return nil }
        return Violation(
            message: Self.settingMessage(section, name, part.value, expected), region: part.region,
            scenario: cells.scenario, isOpen: part.region.isOpen)
    }

    static func settingMessage(_ section: String, _ name: String, _ value: JSONValue, _ expected: JSONValue) -> String {
        "\(SettingPath.text([section, name])) is \(value.canonicalText), expected \(expected.canonicalText)"
    }
}

extension Plan {
    /// The value of a setting before any override.
    func baseValue(_ section: String, _ name: String) -> JSONValue { definitions.base.object(section)?[name] ?? .null }
}

extension Plan.Variant {
    /// The override of a setting. Returns `nil` if the variant leaves the setting alone.
    func override(_ section: String, _ name: String) -> JSONValue? { overrides.object(section)?[name] }
}

extension AudienceSpace.Scenario {
    /// A scenario for each unit, if the units are known by their IDs.
    fileprivate var specificScenarios: [AudienceSpace.Scenario] {
        guard
            let (unit, ids) = units.compactMap({ unit, knowledge -> (UTF8Key, [String])? in
                if case .oneOf(let ids) = knowledge { (unit, ids) } else { nil }
            }).min(by: { $0.0 < $1.0 })
        else { return [] }
        return ids.flatMap { id -> [AudienceSpace.Scenario] in
            var scenario = self
            scenario.units[unit] = .id(id)
            let parts = unit.parts.count == 1 ? [id] : CompositeUnit.parts(of: id)
            for (name, part) in zip(unit.parts, parts) {
                guard let index = scenario.witness?.firstIndex(where: { UTF8Order.areEqual($0.name, name.text) }) else {
                    continue
                }
                let kind = scenario.witness?[index].value.kind ?? 0
                scenario.witness?[index].value = .id(part, kind: kind)
            }
            let others = scenario.specificScenarios
            return others.isEmpty ? [scenario] : others
        }
    }
}

/// Shares of units in percent.
enum ShareText {
    /// A share with all its digits, `6.125%`, or, relative to the units that a box has, to ten decimals.
    static func percent(_ share: ExactShare, of box: BucketBox = BucketBox()) -> String {
        let parts = (box.sets.isEmpty ? share : share / box.share).decimalText.split(separator: ".")
        var decimals = parts.count > 1 ? parts[1] : ""
        if !box.sets.isEmpty {
            decimals = decimals.prefix(11)
            while decimals.last == "0" { decimals.removeLast() }
        }
        decimals += String(repeating: "0", count: max(0, 2 - decimals.count))
        let whole = String(parts[0] + decimals.prefix(2)).drop { $0 == "0" }
        let rest = decimals.dropFirst(2)
        return (whole.isEmpty ? "0" : whole) + (rest.isEmpty ? "" : ".\(rest)") + "%"
    }
}

extension Claim {
    /// Whether the claim holds whatever is decided, so that it tests nothing.
    func isTrivial(in plan: Plan) -> Bool {
        guard case .decision(let experiment, let acceptance) = content else { return false }
        let variants = plan.experiments[experiment].variants.indices.map { Decision.assigned($0, .split) }
        return acceptance.reasons == nil && (variants + [Decision.none(.unallocated)]).allSatisfy(acceptance.accepts)
    }
}
