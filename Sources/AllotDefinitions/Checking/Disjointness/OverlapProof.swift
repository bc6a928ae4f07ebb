import Allot
import AllotConfiguration

/// Whether one unit could hold a variant of two experiments at one instant, as far as can be proved.
///
/// Forced units pass every gate; that they displace others keeps the proofs true for them.
struct OverlapProof: Sendable {
    private let gates: [Gate]

    /// What a unit has to pass to get into an experiment.
    private struct Gate: Sendable {
        /// Whether slots and schedule count: a winner ignores them.
        let isTimed: Bool
        /// The layer's number, or -1.
        let layer: Int
        let slots: [Range<Int>]
        let schedule: Schedule
        let requirements: [UTF8Key: Set<UTF8Key>]
        let audience: AudienceAlternatives
    }

    /// - Parameter isCompared: whether an experiment will be asked about; the audiences of others are not looked at.
    init(_ experiments: [ExperimentDefinition], comparing isCompared: (Int) -> Bool) {
        var layers = Interner()
        var names = Interner()
        gates = experiments.enumerated().map { index, experiment in
            Gate(
                isTimed: experiment.forcesUnits, layer: experiment.layer.map { layers.number(of: $0) } ?? -1,
                slots: experiment.slots, schedule: Schedule(starts: experiment.starts, ends: experiment.ends),
                requirements: Dictionary(
                    experiment.requirements.map { (UTF8Key($0.experiment), Set($0.variants.map(UTF8Key.init))) },
                    uniquingKeysWith: { first, _ in first }),
                audience: AudienceAlternatives(isCompared(index) ? experiment.audience : .everyone, numbers: &names))
        }
    }

    /// Whether two experiments may meet. Complexity: O(slots + tests of both audiences) for simple audiences.
    func canOverlap(_ first: Int, _ second: Int) -> Bool {
        let (left, right) = (gates[first], gates[second])
        if left.isTimed, right.isTimed {
            if left.layer >= 0, left.layer == right.layer, BucketRange.firstOverlap(left.slots, right.slots) == nil {
                return false
            }
            if left.schedule.isDisjoint(from: right.schedule) { return false }
        }
        for (experiment, variants) in left.requirements {
            if let others = right.requirements[experiment], variants.isDisjoint(with: others) { return false }
        }
        return !left.audience.isDisjoint(from: right.audience)
    }
}

/// When an experiment is live: `starts <= t < ends`.
struct Schedule: Sendable {
    let starts: Instant?
    let ends: Instant?

    /// Whether no instant is in both.
    func isDisjoint(from other: Schedule) -> Bool {
        func isOver(_ ends: Instant?, before starts: Instant?) -> Bool {
            guard let ends, let starts else { return false }
            return ends <= starts
        }
        return isOver(ends, before: other.starts) || isOver(other.ends, before: starts)
    }
}

/// Numbers texts, so that equal texts are found without comparing their bytes again.
struct Interner: Sendable {
    private var numbers: [UTF8Key: Int] = [:]

    /// The number of a text; a new one on first use.
    mutating func number(of text: String) -> Int {
        if let number = numbers[UTF8Key(text)] { return number }
        numbers[UTF8Key(text)] = numbers.count
        return numbers.count - 1
    }
}
