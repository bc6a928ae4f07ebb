import AllotConfiguration
import AllotCore

/// Finds units that are forced into two experiments that share a setting or a layer. Forced units skip every other
/// check, so nothing would keep them out of either experiment.
struct ForcedCheck {
    private let experiments: [ExperimentFile]
    private let settings: OverrideIndex
    private let forcing: [Int]

    init(_ experiments: [ExperimentFile], settings: OverrideIndex) {
        (self.experiments, self.settings) = (experiments, settings)
        forcing = experiments.indices.filter {
            experiments[$0].isComparable && experiments[$0].definition.forcesAnyUnit
        }
    }

    func problems() -> [DefinitionProblem] { sameUnit() + differentUnits() }

    private func sameUnit() -> [DefinitionProblem] {
        var experimentsByUnit: [[UTF8Key]: [Int]] = [:]
        var problems: [DefinitionProblem] = []
        for later in forcing {
            var found = BoundedProblems(of: experiments[later], "forced unit")
            guard let attribute = experiments[later].definition.unit.map(UTF8Key.init) else { continue }
            for forced in experiments[later].definition.forced {
                let unit = [attribute, UTF8Key(forced.unitID)]
                for earlier in experimentsByUnit[unit] ?? [] {
                    guard let shared = shared(earlier, later) else { continue }
                    found.add(forcedTwice(forced.unitID, earlier, later, shared))
                }
                experimentsByUnit[unit, default: []].append(later)
            }
            problems += found.problems
        }
        return problems
    }

    private func forcedTwice(_ unitID: String, _ earlier: Int, _ later: Int, _ shared: String) -> DefinitionProblem {
        let (first, second) = (experiments[earlier], experiments[later])
        let place = first.places.forced[UTF8Key(unitID)].map { ":\($0.keyPosition)" } ?? ""
        return second.problem(
            at: second.places.forced[UTF8Key(unitID)], atKey: true,
            "the unit \(QuotedText(unitID)) is also forced in \(first.definition.key) (\(first.file)\(place)), which "
                + "shares \(shared); force it in one of them")
    }

    /// Experiments that force units by different attributes: one user may have both of them.
    private func differentUnits() -> [DefinitionProblem] {
        let units = Set(forcing.compactMap { experiments[$0].definition.unit.map(UTF8Key.init) })
        guard units.count > 1 else { return [] }
        var problems: [DefinitionProblem] = []
        var byLayer: [UTF8Key: [Int]] = [:]
        let isForcing = Set(forcing)
        for later in forcing {
            var found = BoundedProblems(of: experiments[later], "conflicting experiment")
            let layer = experiments[later].definition.layer.map(UTF8Key.init)
            let inLayer = layer.flatMap { byLayer[$0] } ?? []
            let rivals = settings.rivals(of: later, before: later).filter(isForcing.contains)
            for earlier in Set(inLayer + rivals).sorted() {
                guard let unit = experiments[later].definition.unit, let other = experiments[earlier].definition.unit,
                    !UTF8Order.areEqual(other, unit), let shared = shared(earlier, later)
                else { continue }
                found.add(forcedByOthers(unit, later, other, earlier, shared))
            }
            problems += found.problems
            if let layer { byLayer[layer, default: []].append(later) }
        }
        return problems
    }

    private func forcedByOthers(
        _ unit: String, _ later: Int, _ other: String, _ earlier: Int, _ shared: String
    ) -> DefinitionProblem {
        let (first, second) = (experiments[earlier], experiments[later])
        return second.problem(
            at: second.places.forced.values.min { $0.keyPosition < $1.keyPosition }, atKey: true,
            "this forces units by \(unit), and \(first.definition.key) (\(first.file)) by \(other), and they share "
                + "\(shared): one user could be forced in both; force units in one of them")
    }

    private func shared(_ first: Int, _ second: Int) -> String? {
        if let layer = experiments[first].definition.layer, layer == experiments[second].definition.layer {
            return "the layer \(layer)"
        }
        return settings.sharedPath(first, second).map { "the setting \(SettingPath.text($0))" }
    }
}
