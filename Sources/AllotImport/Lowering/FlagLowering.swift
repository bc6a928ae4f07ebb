import AllotConfiguration
import AllotCore

/// Writes the rules of one flag as experiments: a unit is assigned a variant of the first that applies.
struct FlagLowering {
    private let flag: ImportedFlag
    private let project: ImportedProject
    private var lowered: LoweredFlag

    /// The maximum number of experiments of one flag; more would be definitions that are too long to read.
    static let limit = 128
    private static let sizeLimit = 5000

    init(_ flag: ImportedFlag, of project: ImportedProject) {
        self.flag = flag
        self.project = project
        lowered = LoweredFlag(key: flag.key, path: flag.path, description: flag.description, owner: flag.owner)
        lowered.base.arm = flag.defaultArm
    }

    mutating func lower(_ others: GuardAlternatives, _ gates: inout GateTable) throws(ImportProblem) -> LoweredFlag {
        var base = values(of: nil)
        for (index, rule) in flag.rules.enumerated() {
            let found = try others.alternatives(of: rule.condition, at: rule.path)
            if found == [Conjunction()], case .value(let arm) = rule.outcome {
                // All units that get this far get it: that is the base, which needs no unit ID either.
                base = values(of: arm)
                lowered.base = .init(arm: arm.served)
                break
            }
            let id = rule.id ?? (rule.name == nil ? "\(index + 1)" : nil)
            let name = rule.name ?? flag.key
            let key = id.map { RuleID.name(name, $0) } ?? name
            for (number, alternative) in found.enumerated() {
                let note = found.count > 1 ? ["Alternative \(number + 1) of \(found.count)."] : []
                add(rule, alternative, key, note, &gates)
            }
            guard lowered.experiments.count <= Self.limit else {
                throw ImportProblem(flag.path, "the flag would be more than \(Self.limit) experiments")
            }
            let conditions = lowered.experiments.suffix(found.count).map(\.rest.condition)
            guard conditions.allSatisfy({ $0.size() < Self.sizeLimit }) else {
                throw ImportProblem(rule.path, "the condition would have more than \(Self.sizeLimit) tests")
            }
        }
        addSettings(base, &gates.names)
        return lowered
    }

    private mutating func add(
        _ rule: ImportedRule, _ alternative: Conjunction, _ key: String, _ note: [String], _ gates: inout GateTable
    ) {
        var rest = alternative
        for earlier in lowered.experiments where !rest.require(earlier.key, .noVariant) { return }
        let (draw, variants) = split(rule.outcome, &rest)
        guard draw == nil || variants.contains(where: { !$0.buckets.isEmpty }) else { return }
        // Units with a slot of a layer have an ID of its unit.
        let own = project.needsUnit ? rule.unit ?? project.mainUnit : rest.draws.first { $0.layer != nil }?.draw.unit
        var experiment = LoweredExperiment(key: gates.names.unique(key), name: rule.name, unit: draw?.unit ?? own)
        for part in rest.draws where part.layer == nil {
            rest.requirements[gates.key(of: part)] = .variants([GateTable.variant])
        }
        for part in rest.refused.sorted(by: { $0.sortKey < $1.sortKey }) {
            rest.requirements[gates.key(of: part)] = .noVariant
        }
        experiment.comment = ["\(flag.key), \(rule.path)"] + rule.comment + note
        (experiment.draw, experiment.rest, experiment.variants) = (draw, rest, variants)
        lowered.experiments.append(experiment)
    }

    /// The draw of an experiment and its variants. The guard's own parts of that draw are taken from `rest`.
    private func split(_ outcome: Outcome, _ rest: inout Conjunction) -> (Draw?, [LoweredVariant]) {
        switch outcome {
        case .value(let arm):
            let own = rest.draws.firstIndex { $0.layer == nil }.map { rest.draws.remove(at: $0) }
            return (own?.draw, merged([(arm, own?.buckets ?? .none)]))
        case .split(let draw, let arms):
            let isOwn = { (part: Conjunction.DrawPart) in part.draw == draw && part.layer == nil }
            let (allowed, refused) = (rest.draws.filter(isOwn), rest.refused.filter(isOwn))
            rest.draws.removeAll(where: isOwn)
            rest.refused.subtract(refused)
            let left = arms.map { arm, buckets in
                let within = allowed.reduce(buckets) { $0.intersection($1.buckets) }
                return (arm: arm, buckets: refused.reduce(within) { $0.subtracting($1.buckets) })
            }
            return (draw, merged(left))
        }
    }

    /// Variants with unique keys. Arms that are the same are one, and those without a bucket go if others have some.
    private func merged(_ arms: [ArmShare]) -> [LoweredVariant] {
        let arms = arms.contains { !$0.buckets.isEmpty } ? arms.filter { !$0.buckets.isEmpty } : arms
        var keys = NameTable()
        var positions: [Arm: Int] = [:]
        var variants: [LoweredVariant] = []
        for (arm, buckets) in arms {
            if let position = positions[arm] {
                variants[position].buckets = variants[position].buckets.union(buckets)
            } else {
                positions[arm] = variants.count
                variants.append(
                    LoweredVariant(
                        key: keys.unique(arm.key), served: .init(arm: arm.served), buckets: buckets,
                        settings: values(of: arm)))
            }
        }
        return variants
    }

    private func values(of arm: Arm?) -> [ImportedSetting] {
        flag.settings.map { setting in
            ImportedSetting(
                setting.name, arm?.settings.last { UTF8Order.areEqual($0.name, setting.name) }?.value ?? setting.value)
        }
    }

    /// Adds the settings, and an experiment that gives the rest the default where overrides of the base could not.
    private mutating func addSettings(_ base: [ImportedSetting], _ names: inout NameTable) {
        for (index, setting) in base.enumerated() {
            let overrides = lowered.experiments.flatMap(\.variants).map { $0.settings[index].value }
            lowered.settings.append(setting.fitting(overrides))
        }
        guard zip(lowered.settings, base).contains(where: { $0.value != $1.value }) else { return }
        var experiment = LoweredExperiment(
            key: names.unique("\(flag.key)-default"), name: nil, unit: project.needsUnit ? project.mainUnit : nil)
        experiment.comment = [
            "\(flag.key): all units to which no rule applies.",
            "The base cannot hold this value: overrides are merged with objects of the base, and have its type.",
        ]
        for earlier in lowered.experiments { experiment.rest.requirements[earlier.key] = .noVariant }
        experiment.variants = [
            LoweredVariant(
                key: lowered.base.arm.map(NameTable.valid) ?? "default", served: lowered.base, settings: base)
        ]
        lowered.experiments.append(experiment)
        lowered.hasDefaultExperiment = true
    }
}

extension ImportedSetting {
    /// The setting of the base on which each override gives exactly its own value.
    fileprivate func fitting(_ overrides: [JSONValue]) -> ImportedSetting {
        var base = self
        let types = Set(overrides.map(\.typeName))
        if value == .null { return base }
        if types.union([value.typeName]).isSubset(of: ["integer", "number"]) {
            if value.typeName == "integer", types.contains("number") { base.type = "number" }
        } else if types.contains(where: { $0 != value.typeName }) {
            base.value = .null
        } else if overrides.contains(where: { value.merging($0) != $0 }) {
            base.value = [:]
        }
        return base
    }
}

extension Conjunction.DrawPart {
    /// Orders draws, so that equal payloads give equal definitions.
    fileprivate var sortKey: String {
        "\(draw.salt) \(draw.scheme.rawValue) \(draw.unit) \(draw.bucketCount) \(buckets.ranges)"
    }
}
