/// A step on the way of units to their variants, with what it needs: it decides some of them and lets the others pass.
/// Proofs and reports take sets of units through these cases and switch over them without a default, so that they know
/// no status, layer, holdout or hash. Evaluation and SQL make the checks themselves.
package enum Gate: Sendable {
    /// Decides the units without a valid ID in an attribute.
    case unit(String)
    /// Decides the units that the experiment forces.
    case forced
    /// Decides the units that a rival forces.
    case displacement
    /// Decides, for a reason, the units whose bucket is not in a set. A unit without this ID passes a holdout, and has
    /// no slot.
    case buckets(BucketDimension, BucketSet, Reason)
    /// Decides the units that another experiment gives a variant, or none, which this one does not admit.
    case requirement(ExperimentDefinition.Requirement)
    /// Decides the units that do not meet a condition.
    case audience(Condition)
    /// Gives a variant to the units whose bucket is in a set.
    case variant(Int, BucketDimension, BucketSet)
    /// Decides all units that are left: the last gate, which every experiment has.
    case end(Decision)
}

extension ExperimentDefinition {
    /// The gates of a unit at an instant, in the order of the checks. Without a layer slots are left aside; without an
    /// instant the traffic is the highest, and there is no schedule.
    package func gates(layer: LayerDefinition?, holdouts: [HoldoutDefinition], at instant: Instant?) -> [Gate] {
        var gates: [Gate] = []
        for check in Check.allCases {
            switch check {
            case .unit: if let unit { gates.append(.unit(unit)) }
            case .paused: if status == .paused { gates.append(.end(.none(.paused))) }
            case .forced: if forcesAnyUnit { gates.append(.forced) }
            case .draft: if status == .draft { gates.append(.end(.none(.draft))) }
            case .displacement: gates.append(.displacement)
            case .schedule:
                guard status == .running, let instant, let reason = schedule.reason(at: instant) else { continue }
                gates.append(.end(.none(reason)))
            case .holdout:
                for holdout in holdouts where holdout.covers(self) {
                    gates.append(.buckets(holdout.dimension, holdout.freeBuckets, .holdout))
                }
            case .slot:
                guard status == .running, let layer else { continue }
                gates.append(.buckets(layer.dimension, BucketSet(slots), .slot))
            case .requirement: gates += requirements.map(Gate.requirement)
            case .audience: gates.append(.audience(audience))
            case .conclusion:
                if status == .concluded {
                    gates.append(.end(winnerIndex.map { Decision.assigned($0, .winner) } ?? .none(.concluded)))
                } else if draw == nil {
                    gates.append(.end(.assigned(0, .everyone)))
                }
            case .traffic:
                guard let draw, drawsTraffic else { continue }
                let share = instant.map(traffic.share) ?? traffic.highestShare
                let dimension = BucketDimension(draw, half: .first, at: instant)
                gates.append(.buckets(dimension, BucketSet([0..<share]), .traffic))
            case .split:
                guard let draw else { continue }
                let dimension = BucketDimension(draw, half: .second, at: instant)
                for (index, variant) in variants.enumerated() {
                    gates.append(.variant(index, dimension, BucketSet(variant.buckets)))
                }
                gates.append(.end(.none(.unallocated)))
            }
            if case .end? = gates.last { break }
        }
        return gates
    }
}
