import AllotConfiguration
import AllotCore
import Synchronization

/// The units that pass the gates of an experiment and of those that it requires: their region of buckets, and the
/// conditions that they meet.
struct GatedUnits {
    private let definitions: DefinitionsIndex
    private let instant: Instant
    private(set) var region = BucketRegion()
    /// See ``AssignmentRegions/conditions``.
    private(set) var conditions: [Condition] = []
    fileprivate private(set) var leftOut: [ExperimentDefinition] = []
    /// See ``AssignmentRegions/exclusions``.
    private(set) var exclusions: [UTF8Key: String] = [:]
    /// The experiments whose gates are in: several may require one.
    private var added: Set<UTF8Key> = []

    init(definitions: DefinitionsIndex, instant: Instant) {
        self.definitions = definitions
        self.instant = instant
    }

    /// Adds every gate of an experiment but the choice of the variant, and returns whether any unit can pass.
    mutating func add(_ experiment: ExperimentDefinition) -> Bool {
        guard added.insert(UTF8Key(experiment.key)).inserted else { return true }
        let layer = definitions.layer(experiment.layer)
        for gate in experiment.gates(layer: layer, holdouts: definitions.definitions.holdouts, at: instant) {
            switch gate {
            // Every unit has an ID here, and forced units are left aside with those that they displace.
            case .unit, .forced, .displacement: continue
            case .buckets(let dimension, let set, _): region.restrict(dimension, to: set)
            case .requirement(let requirement): guard add(requirement) else { return false }
            case .audience(let condition): conditions.append(condition)
            // The choice of a variant follows the gates.
            case .variant: return true
            case .end(let decision): return decision.variant != nil
            }
        }
        return true
    }

    /// Adds the gates of a required experiment and the choice of one of the variants that admit a unit, or leaves out
    /// the units that have a variant there.
    private mutating func add(_ requirement: ExperimentDefinition.Requirement) -> Bool {
        guard let experiment = definitions.experiment(requirement.experiment) else { return false }
        switch requirement.admitted {
        case .variants(let variants): return add(experiment) && choose(variants, of: experiment)
        case .noVariant:
            leftOut.append(experiment)
            return true
        }
    }

    /// Keeps the units that get one of some variants of an experiment whose gates were added.
    mutating func choose(_ variants: [String], of experiment: ExperimentDefinition) -> Bool {
        guard experiment.isRandomised, let draw = experiment.draw
        else { return experiment.commonVariant.map(variants.contains) ?? false }
        let buckets = experiment.variants.filter { variants.contains($0.key) }.flatMap(\.buckets)
        region.restrict(BucketDimension(draw, half: .second, at: instant), to: BucketSet(buckets))
        return true
    }

    /// Leaves out the units that get a variant of an experiment that must not give them one, after all gates: by ranges
    /// if its audience admits every unit that is admitted here.
    mutating func leaveOutUnits() {
        let audience = conditions.conjuncts
        for experiment in leftOut {
            guard let other = definitions.knownUnits.units(of: experiment, in: definitions, at: instant),
                !other.region.isDisjoint(from: region)
            else { continue }
            if other.isKnownByRanges, other.audience.isSubset(of: audience), let rest = region.subtracting(other.region)
            {
                region = rest
            } else {
                exclusions[UTF8Key(experiment.key)] = other.hash
            }
        }
    }

    /// The gates of the units that have a variant of an experiment, before any are left out. Returns `nil` if none has.
    fileprivate init?(
        unitsOf experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant
    ) {
        self.init(definitions: definitions, instant: instant)
        guard add(experiment), choose(experiment.variants.map(\.key), of: experiment) else { return nil }
    }

    /// The units that pass, as JSON that changes when they do.
    fileprivate var canonical: JSONValue {
        let boxes = region.boxes.map { box in
            let sets = box.sets.map { (key: $0.canonicalText, value: JSONValue.strings($1.ranges.map(\.description))) }
            return JSONValue.object(JSONObject(sets)).canonicalText
        }
        return [
            "audience": .strings(conditions.conjuncts.map(\.canonicalText).sorted()),
            "exclusions": .object(JSONObject(exclusions.map { (key: $0.key.text, value: .string($0.value)) })),
            "units": .strings(boxes.sorted()),
        ]
    }
}

/// The units that have a variant of experiments, each computed once: an imported rule leaves out those of many.
final class KnownUnits: Sendable {
    struct Units: Sendable {
        let region: BucketRegion
        let audience: Set<JSONValue>
        /// Whether ranges and conditions tell who they are: units of no other experiment are left out.
        let isKnownByRanges: Bool
        let hash: String
    }

    private let units = Mutex<[Instant: [UTF8Key: Units?]]>([:])

    /// The units that have a variant of an experiment, always of the same definitions; `nil` if none has.
    fileprivate func units(
        of experiment: ExperimentDefinition, in definitions: DefinitionsIndex, at instant: Instant
    ) -> Units? {
        // Those that others leave out come first, without recursion: a chain may have thousands.
        var stack = [experiment]
        while let next = stack.last {
            guard known(next, at: instant) == nil else {
                stack.removeLast()
                continue
            }
            var gated = GatedUnits(unitsOf: next, in: definitions, at: instant)
            let missing = (gated?.leftOut ?? []).filter { known($0, at: instant) == nil }
            guard missing.isEmpty else {
                stack += missing
                continue
            }
            gated?.leaveOutUnits()
            let found = gated.map { gated in
                Units(
                    region: gated.region, audience: gated.conditions.conjuncts,
                    isKnownByRanges: gated.exclusions.isEmpty,
                    hash: SHA256.revision(of: gated.canonical.canonicalBytes))
            }
            units.withLock { $0[instant, default: [:]][UTF8Key(next.key)] = .some(found) }
        }
        return known(experiment, at: instant) ?? nil
    }

    private func known(_ experiment: ExperimentDefinition, at instant: Instant) -> Units?? {
        units.withLock { $0[instant]?[UTF8Key(experiment.key)] }
    }
}

extension [Condition] {
    var conjuncts: Set<JSONValue> { Set(flatMap(\.conjuncts)) }
}

extension Condition {
    /// The conditions that all have to hold, none for everyone.
    fileprivate var conjuncts: [JSONValue] {
        switch self {
        case .all(let parts): parts.flatMap(\.conjuncts)
        case .segment(_, let part): part.conjuncts
        case .any, .not, .test: [canonical]
        }
    }
}
