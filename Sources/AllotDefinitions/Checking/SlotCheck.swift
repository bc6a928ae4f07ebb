import AllotCore

/// Finds slots of a layer that belong to two experiments that can be live together.
struct SlotCheck {
    let experiments: [ExperimentFile]

    private typealias OwnedSlots = (range: Range<Int>, experiment: Int)

    func problems() -> [DefinitionProblem] {
        var byLayer: [String: [OwnedSlots]] = [:]
        for (index, experiment) in experiments.enumerated() {
            guard experiment.isComparable, experiment.definition.forcesUnits, let layer = experiment.definition.layer
            else { continue }
            byLayer[layer, default: []] += experiment.definition.slots.map { (range: $0, experiment: index) }
        }
        return byLayer.values.flatMap(overlaps)
    }

    /// Finds overlaps in one sweep over the slots of a layer, with the ranges that have begun and not yet ended.
    private func overlaps(_ ranges: [OwnedSlots]) -> [DefinitionProblem] {
        var found: [Int: BoundedProblems] = [:]
        var open: [OwnedSlots] = []
        var compared: [Int: Set<Int>] = [:]
        let sorted = ranges.sorted { ($0.range.lowerBound, $0.experiment) < ($1.range.lowerBound, $1.experiment) }
        for owned in sorted {
            open.removeAll { $0.range.upperBound <= owned.range.lowerBound }
            for other in open where other.experiment != owned.experiment {
                let earlier = min(other.experiment, owned.experiment)
                let later = max(other.experiment, owned.experiment)
                // A layer may have a great many pairs with different times, so these are not stored.
                // An experiment is live by its schedule alone, whatever its traffic.
                guard
                    !experiments[earlier].definition.schedule.isDisjoint(from: experiments[later].definition.schedule),
                    compared[later, default: []].insert(earlier).inserted
                else { continue }
                found[later, default: BoundedProblems(of: experiments[later], "slot overlap")]
                    .add(sharedSlots(earlier, later, owned.range.clamped(to: other.range)))
            }
            open.append(owned)
        }
        return found.values.flatMap(\.problems)
    }

    private func sharedSlots(_ earlier: Int, _ later: Int, _ range: Range<Int>) -> DefinitionProblem {
        let (first, second) = (experiments[earlier], experiments[later])
        let field = second.places.slots ?? second.places.root
        let place = (first.places.slots ?? first.places.root).position
        let slots = text(of: range, of: second.slotScale, like: field)
        return second.problem(
            at: field,
            "the slots \(slots) of the layer \(second.definition.layer ?? "") also belong to "
                + "\(first.definition.key) (\(first.file):\(place)); a slot belongs to one experiment at a time")
    }

    /// A range in percent or in buckets, in the notation of the file to be fixed.
    private func text(of range: Range<Int>, of scale: BucketScale, like field: Field) -> String {
        if !scale.isForeign, case .text(let text) = (field.elements?.first ?? field).node.content, text.contains("%") {
            return BucketRange.percentText(range)
        }
        return "\(range.lowerBound)..<\(range.upperBound)"
    }
}
