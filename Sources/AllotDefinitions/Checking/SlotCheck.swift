import Allot

/// Finds slots of a layer that are held by two experiments that can be live together.
struct SlotCheck {
    let experiments: [ExperimentFile]

    /// A slot range and the experiment that holds it.
    private struct Holding {
        let range: Range<Int>
        let experiment: Int
    }

    func problems() -> [DefinitionProblem] {
        var byLayer: [String: [Holding]] = [:]
        for (index, experiment) in experiments.enumerated() {
            guard experiment.isComparable, experiment.definition.forcesUnits, let layer = experiment.definition.layer
            else { continue }
            byLayer[layer, default: []] += experiment.definition.slots.map { Holding(range: $0, experiment: index) }
        }
        return byLayer.values.flatMap(overlaps)
    }

    /// One sweep over the slots of a layer, with the holdings that have begun and not yet ended.
    private func overlaps(_ holdings: [Holding]) -> [DefinitionProblem] {
        var problems: [DefinitionProblem] = []
        var open: [Holding] = []
        var reported: [Int: Set<Int>] = [:]
        for holding in holdings.sorted(by: {
            ($0.range.lowerBound, $0.experiment) < ($1.range.lowerBound, $1.experiment)
        }) {
            open.removeAll { $0.range.upperBound <= holding.range.lowerBound }
            for other in open where other.experiment != holding.experiment {
                let (earlier, later) = (
                    min(other.experiment, holding.experiment), max(other.experiment, holding.experiment)
                )
                guard reported[later, default: []].count < ConflictCheck.reportLimit, canBeLiveTogether(earlier, later),
                    reported[later, default: []].insert(earlier).inserted
                else { continue }
                problems.append(sharedSlots(earlier, later, holding.range.clamped(to: other.range)))
            }
            open.append(holding)
        }
        return problems
    }

    private func canBeLiveTogether(_ first: Int, _ second: Int) -> Bool {
        let (left, right) = (experiments[first].definition, experiments[second].definition)
        return !Schedule(starts: left.starts, ends: left.ends)
            .isDisjoint(from: Schedule(starts: right.starts, ends: right.ends))
    }

    private func sharedSlots(_ earlier: Int, _ later: Int, _ range: Range<Int>) -> DefinitionProblem {
        let (first, second) = (experiments[earlier], experiments[later])
        let field = second.places.slots ?? second.places.root
        let place = (first.places.slots ?? first.places.root).position
        return second.problem(
            at: field,
            "the slots \(text(of: range, like: field)) of the layer \(second.definition.layer ?? "") are also held by "
                + "\(first.definition.key) (\(first.file):\(place)); a slot belongs to one experiment at a time")
    }

    /// A range in percent or in buckets, as the file to be fixed writes them.
    private func text(of range: Range<Int>, like field: Field) -> String {
        if case .list(let elements) = field.node.content, case .text(let text)? = elements.first?.content,
            text.contains("%")
        {
            return BucketRange.percentText(range)
        }
        return "\(range.lowerBound)..<\(range.upperBound)"
    }
}
