import AllotConfiguration
import AllotCore

/// Finds experiments that can assign no unit at any instant, whatever keeps the units out. A draft counts as running,
/// because it will be. An experiment that is paused, or concluded without a winner, assigns no unit on purpose. Forced
/// units pass every check, so they are left aside.
struct EnrolmentCheck {
    private let experiments: [ExperimentFile]
    private let holdouts: [Positioned<HoldoutDefinition>]
    private let now: Instant
    private var proof: OverlapProof
    private let indices: [UTF8Key: Int]
    /// By experiment the others whose forced units are displaced from it.
    private let rivals: [[Int]]
    private var obstacles: [Int: Obstacle] = [:]

    /// The reason why no unit can be assigned, and the fix.
    private struct Obstacle {
        let field: Field?
        /// `nil` if the warning about a test says it already, with its place.
        let message: String?
    }

    init(_ all: DefinitionsCheck) {
        (experiments, holdouts, now) = (all.experiments, all.holdouts.holdouts, all.now)
        proof = OverlapProof(all.definitions)
        indices = experiments.indicesByKey
        rivals = all.definitions.rivals
    }

    mutating func problems() -> [DefinitionProblem] {
        // A required experiment comes before those that require it.
        for index in experiments.requirements(indices).order where experiments[index].isMeantToAssign {
            for check in Check.allCases where obstacles[index] == nil { obstacles[index] = obstacle(check, index) }
        }
        return obstacles.compactMap { index, obstacle in
            guard let message = obstacle.message else { return nil }
            let isForcing = experiments[index].definition.forcesAnyUnit
            return experiments[index].problem(
                .warning, at: obstacle.field, atKey: true,
                "no unit can be assigned\(isForcing ? " unless it is forced" : ""): \(message)")
        }
    }

    /// The reason why a check stops every unit; `nil` if units may pass it.
    private mutating func obstacle(_ check: Check, _ index: Int) -> Obstacle? {
        switch check {
        case .holdout: holdout(index)
        case .requirement: requirement(index)
        case .audience: audience(index)
        case .traffic: traffic(index)
        // A schedule without an instant, no slots and no buckets are errors of the file, and the others stop single
        // units, or experiments that are meant to assign none.
        case .unit, .paused, .forced, .draft, .displacement, .schedule, .slot, .conclusion, .split: nil
        }
    }

    // MARK: Single experiments

    private func holdout(_ index: Int) -> Obstacle? {
        if holdouts.isEmpty { return nil }
        let experiment = experiments[index].definition
        let holdout = holdouts.first {
            $0.value.covers(experiment) && $0.value.share == $0.value.hash.resolution
                && $0.value.unit == experiment.unit
        }
        return holdout.map {
            Obstacle(
                field: nil,
                message: "the holdout \($0.value.name) (\($0.file):\($0.field.keyPosition)) holds out all units; lower "
                    + "its share, or let it cover other experiments")
        }
    }

    private mutating func audience(_ index: Int) -> Obstacle? {
        if experiments[index].definition.audience.testsForNothing { return Obstacle(field: nil, message: nil) }
        var tested = experiments[index].definition.draw?.unitAttributes ?? []
        guard experiments[index].definition.audience.mayHoldForNoUnit(&tested),
            let contradiction = proof.contradiction(inAudienceOf: index)
        else { return nil }
        let (attributes, admitsList) = (contradiction.attributes, contradiction.admitsList)
        let names = attributes.map { QuotedText($0).description }.joined(separator: " or ")
        let tests =
            attributes.isEmpty
            ? "its condition holds for no unit" : "no value of \(names) passes all of the audience's tests"
        let fix = admitsList ? "correct them, or test the elements of a list with $elemMatch" : "correct the audience"
        return Obstacle(field: experiments[index].places.audience, message: "\(tests); \(fix)")
    }

    private func traffic(_ index: Int) -> Obstacle? {
        let experiment = experiments[index].definition
        // Nothing but testers is a way to begin.
        guard experiment.forcesUnits, !experiment.forcesAnyUnit, experiment.drawsTraffic,
            let field = experiments[index].places.traffic,
            experiment.traffic.limited(to: experiment.schedule).highestShare == 0
        else { return nil }
        let rest = experiment.traffic.steps.isEmpty ? "" : " while the experiment is live"
        return Obstacle(
            field: field, message: "traffic is 0%\(rest); raise it, or set status: paused if no unit is to be enrolled")
    }

    // MARK: Requirements

    private mutating func requirement(_ index: Int) -> Obstacle? {
        for requirement in experiments[index].definition.requirements {
            guard let target = indices[UTF8Key(requirement.experiment)], target != index else { continue }
            let fault =
                switch requirement.admitted {
                case .variants(let variants): fault(of: index, requiring: variants, requirement, of: target)
                case .noVariant: fault(of: index, requiringNoVariantOf: target)
                }
            if let fault {
                return Obstacle(
                    field: experiments[index].places.requirements[UTF8Key(requirement.experiment)],
                    message: "\(fault), or remove the requirement")
            }
        }
        return nil
    }

    /// The reason why no unit is assigned one of the variants of another experiment and one of this.
    private mutating func fault(
        of index: Int, requiring variants: [String], _ requirement: ExperimentDefinition.Requirement, of target: Int
    ) -> String? {
        let (own, required) = (experiments[index].definition, experiments[target].definition)
        let name = "the required experiment \(required.key)"
        guard experiments[target].places.status != nil, experiments[target].hasAllVariants else { return nil }
        if letsForcedUnitsPass(target, requirement, to: index) { return nil }
        switch required.status {
        case .paused: return "\(name) is paused; set it running"
        case .draft where own.status != .draft: return "\(name) is a draft; set it running"
        case .concluded where required.winner == nil: return "\(name) is concluded without a winner; give it one"
        case .concluded where !variants.contains { UTF8Order.areEqual($0, required.winner ?? "") }:
            return "\(name) is concluded with the winner \(required.winner ?? ""); require that one"
        case .draft, .running, .concluded: break
        }
        let admitted = required.variants.indices.filter { position in
            variants.contains { UTF8Order.areEqual($0, required.variants[position].key) }
        }
        if required.forcesUnits, !admitted.isEmpty, experiments[target].hasHash,
            !admitted.contains(where: { required.canAssign(variant: $0, as: .running) })
        {
            return "\(name) gives \(variants.joined(separator: " and ")) no bucket; give it a weight"
        }
        let isOver = own.forcesUnits && own.ends.map { $0 <= now } ?? false
        if required.forcesUnits, !isOver, let ends = required.enrolment.ends, ends <= now {
            return "\(name) has enrolled no unit since \(ends.writtenText); extend it"
        }
        if obstacles[target] != nil { return "\(name) can assign no unit either; fix that" }
        return separation(index, from: target)
    }

    /// The proof that a unit of one experiment is in none that it requires, or that those require in turn.
    private mutating func separation(_ index: Int, from target: Int) -> String? {
        for required in requiredExperiments(from: target, for: index) where experiments[required].isComparable {
            guard let check = proof.separation(of: index, required) else { continue }
            let other = "of the required experiment \(experiments[required].definition.key)"
            switch check {
            case .schedule: return "its schedule and that \(other) never overlap; change one of them"
            case .slot: return "its slots and those \(other) are disjoint; move one of them to another layer"
            case .audience: return "its audience and that \(other) are disjoint; change one of them"
            case .requirement: return "its requirements and those \(other) exclude each other; change one of them"
            // These separate no two experiments.
            case .unit, .paused, .forced, .draft, .displacement, .holdout, .conclusion, .traffic, .split: continue
            }
        }
        return nil
    }

    private static let chainLimit = 100

    /// Whether units that a required experiment forces meet a requirement, and are not displaced from an experiment.
    private func letsForcedUnitsPass(_ target: Int, _ requirement: ExperimentDefinition.Requirement, to index: Int)
        -> Bool
    { experiments[target].definition.forcesUnit(admittedBy: requirement) && !rivals[index].contains(target) }

    /// An experiment and those whose variants it requires, directly and through others, as far as no unit is forced
    /// into them.
    private func requiredExperiments(from target: Int, for index: Int) -> [Int] {
        var found = [target]
        var next = 0
        while next < found.count, found.count < Self.chainLimit {
            for requirement in experiments[found[next]].definition.requirements {
                guard case .variants = requirement.admitted, let target = indices[UTF8Key(requirement.experiment)],
                    !found.contains(target), !letsForcedUnitsPass(target, requirement, to: index)
                else { continue }
                found.append(target)
            }
            next += 1
        }
        return found
    }

    /// The reason why each unit of an experiment is assigned a variant of another one.
    private func fault(of index: Int, requiringNoVariantOf target: Int) -> String? {
        let (own, other) = (experiments[index].definition, experiments[target].definition)
        guard experiments[target].isComparable, experiments[target].hasAllVariants, other.audience.isEveryone,
            other.requirements.isEmpty, !holdouts.contains(where: { $0.value.share > 0 && $0.value.covers(other) })
        else { return nil }
        let assignsEachUnit: Bool
        switch other.status {
        case .paused: assignsEachUnit = false
        case .concluded: assignsEachUnit = other.winner != nil
        case .draft where own.status != .draft: assignsEachUnit = false
        case .draft, .running:
            let schedule = own.forcesUnits ? own.schedule : Schedule(starts: nil, ends: nil)
            assignsEachUnit = other.schedule.contains(schedule) && other.layer == nil && other.assignsAllBuckets
        }
        guard assignsEachUnit, other.unit == nil || other.unit == own.unit,
            // A unit that is displaced from the other one has no variant there, unless it is displaced from both.
            Set(rivals[target]).isSubset(of: rivals[index] + [index])
        else { return nil }
        return "\(other.key), of which no variant may be assigned, assigns one to each unit; change it"
    }
}

extension ExperimentFile {
    /// Whether the experiment assigns units once it runs, and everything that decides which ones could be read.
    fileprivate var isMeantToAssign: Bool {
        isComparable && places.status != nil && (definition.forcesUnits || definition.commonVariant != nil)
    }
}

extension ExperimentDefinition {
    /// Whether each enrolled unit is assigned a variant, and all units are enrolled.
    fileprivate var assignsAllBuckets: Bool {
        guard let hash else { return true }
        return traffic == .constant(Bucketing.bucketCount)
            && BucketSet(variants.flatMap(\.buckets)).count == hash.resolution
    }
}

extension Schedule {
    /// Whether each instant of another schedule is one of this.
    fileprivate func contains(_ other: Schedule) -> Bool {
        starts.map { starts in other.starts.map { $0 >= starts } ?? false } ?? true
            && ends.map { ends in other.ends.map { $0 <= ends } ?? false } ?? true
    }
}

extension Condition {
    /// Whether a proof that no unit satisfies it is worth trying: tests can contradict each other only where they are
    /// of one attribute, and most audiences test each once. `tested` has the attributes that are tested elsewhere.
    fileprivate func mayHoldForNoUnit(_ tested: inout [String]) -> Bool {
        switch self {
        case .all(let parts), .any(let parts): return parts.contains { $0.mayHoldForNoUnit(&tested) }
        case .not(.test(let test)), .test(let test):
            if case .isIn(let list, _) = test.predicate, list.literals.isEmpty { return true }
            guard let attribute = test.attribute else { return false }
            if tested.contains(attribute) { return true }
            tested.append(attribute)
            return false
        case .not: return true
        case .segment(_, let part): return part.mayHoldForNoUnit(&tested)
        }
    }

    /// Whether each unit has to pass an `$in` of nothing, of which its reader has warned.
    var testsForNothing: Bool {
        switch self {
        case .all(let parts): parts.contains(where: \.testsForNothing)
        case .test(let test):
            if case .isIn(let list, _) = test.predicate, ["$in", "$ini"].contains(test.operatorName) {
                list.literals.isEmpty
            } else {
                false
            }
        case .any, .not, .segment: false
        }
    }

    /// Whether it is the condition that every unit satisfies, as far as its form shows.
    fileprivate var isEveryone: Bool {
        switch self {
        case .all(let parts): parts.allSatisfy(\.isEveryone)
        case .segment(_, let part): part.isEveryone
        case .any, .not, .test: false
        }
    }
}
