import Allot
import AllotConfiguration

/// Proves that no unit can be assigned variants of two experiments at one instant.
///
/// Forced units pass every check; the check of displacement keeps the proofs true for them. Paused experiments, and
/// those that are concluded without a winner, are not compared.
struct OverlapProof: Sendable {
    private let experiments: [Admission]

    /// What a unit has to pass to get into an experiment, as far as proofs use it.
    private struct Admission: Sendable {
        /// Whether slots and schedule count: a winner ignores them.
        let isTimed: Bool
        /// The layer's number.
        let layer: Int?
        let slots: BucketSet
        let schedule: Schedule
        /// By experiment the variants there that admit a unit; `nil` stands for no variant.
        let requirements: [UTF8Key: Set<UTF8Key?>]
        let audience: AudienceAlternatives
    }

    /// - Parameter isCompared: Whether an experiment is compared with others. The audiences of those that are not are
    ///   not compiled.
    init(_ experiments: [ExperimentDefinition], comparing isCompared: (Int) -> Bool) {
        var layers = Interner()
        var names = Interner()
        self.experiments = experiments.enumerated().map { index, experiment in
            Admission(
                isTimed: experiment.forcesUnits, layer: experiment.layer.map { layers.number(of: $0) },
                slots: BucketSet(experiment.slots), schedule: experiment.schedule,
                requirements: Dictionary(
                    experiment.requirements.map { (UTF8Key($0.experiment), $0.admittedKeys) },
                    uniquingKeysWith: { first, _ in first }),
                audience: AudienceAlternatives(isCompared(index) ? experiment.audience : .everyone, numbers: &names))
        }
    }

    /// Whether one unit may be in both experiments.
    ///
    /// Complexity: O(slots + tests of both audiences) for simple audiences.
    func canOverlap(_ first: Int, _ second: Int) -> Bool {
        !Check.allCases.contains { separates($0, experiments[first], experiments[second]) }
    }

    /// Whether a check keeps every unit out of one of two experiments.
    private func separates(_ check: Check, _ left: Admission, _ right: Admission) -> Bool {
        switch check {
        case .schedule:
            return left.isTimed && right.isTimed && left.schedule.isDisjoint(from: right.schedule)
        case .slot:
            guard left.isTimed, right.isTimed, let layer = left.layer, layer == right.layer else { return false }
            return left.slots.intersection(right.slots).isEmpty
        case .requirement:
            return left.requirements.contains { experiment, variants in
                right.requirements[experiment].map(variants.isDisjoint) ?? false
            }
        case .audience:
            return left.audience.isDisjoint(from: right.audience)
        // These leave one unit to both, or are the same for both.
        case .unit, .paused, .forced, .draft, .displacement, .holdout, .conclusion, .traffic, .split:
            return false
        }
    }
}

extension ExperimentDefinition.Requirement {
    /// What a unit may be assigned; `nil` stands for no variant. As a unit is assigned one variant or none, units that
    /// disjoint requirements admit are different ones.
    fileprivate var admittedKeys: Set<UTF8Key?> {
        switch admitted {
        case .variants(let variants): Set(variants.map(UTF8Key.init))
        case .noVariant: [nil]
        }
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
