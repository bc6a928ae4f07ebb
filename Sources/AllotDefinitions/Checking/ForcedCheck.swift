import Allot
import AllotConfiguration

/// Finds units that are forced into two experiments that share a setting or a layer. Forced units skip every other
/// check, so nothing would keep them out of either experiment.
struct ForcedCheck {
    private let experiments: [ExperimentFile]
    private let settings: OverrideIndex
    /// The experiments that force units, in ascending order.
    private let forcing: [Int]

    init(_ experiments: [ExperimentFile], settings: OverrideIndex) {
        self.experiments = experiments
        self.settings = settings
        forcing = experiments.indices.filter {
            experiments[$0].isComparable && experiments[$0].definition.forcesAnyUnit
        }
    }

    func problems() -> [DefinitionProblem] {
        sameUnit() + differentUnits()
    }

    /// Unit IDs that are forced in two experiments.
    private func sameUnit() -> [DefinitionProblem] {
        var experimentsByUnit: [[UTF8Key]: [Int]] = [:]
        var problems: [DefinitionProblem] = []
        for later in forcing {
            var count = 0
            guard let attribute = experiments[later].definition.unit.map(UTF8Key.init) else { continue }
            for forced in experiments[later].definition.forced {
                let unit = [attribute, UTF8Key(forced.unitID)]
                for earlier in experimentsByUnit[unit] ?? [] where count < ConflictCheck.reportLimit {
                    guard let shared = shared(earlier, later) else { continue }
                    count += 1
                    problems.append(forcedTwice(forced.unitID, earlier, later, shared))
                }
                experimentsByUnit[unit, default: []].append(later)
            }
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
        var problems: [DefinitionProblem] = []
        let units = Set(forcing.compactMap { experiments[$0].definition.unit.map(UTF8Key.init) })
        guard units.count > 1 else { return [] }
        let isForcing = Set(forcing)
        for later in forcing {
            var count = 0
            for earlier in settings.rivals(of: later, before: later)
            where isForcing.contains(earlier) && count < ConflictCheck.reportLimit {
                guard let unit = experiments[later].definition.unit,
                    let other = experiments[earlier].definition.unit, !UTF8Order.areEqual(other, unit),
                    let shared = settings.sharedPath(earlier, later)
                else { continue }
                let (first, second) = (experiments[earlier], experiments[later])
                count += 1
                let field = second.places.forced.values.min { $0.keyPosition < $1.keyPosition }
                problems.append(
                    second.problem(
                        at: field, atKey: true,
                        "this forces units by \(unit), and \(first.definition.key) (\(first.file)) "
                            + "by \(other), and they share the setting \(SettingPath.text(shared)): "
                            + "one user could be forced in both; force units in one of them"))
            }
        }
        return problems
    }

    /// The layer or setting that two experiments share, in words.
    private func shared(_ first: Int, _ second: Int) -> String? {
        if let layer = experiments[first].definition.layer, layer == experiments[second].definition.layer {
            return "the layer \(layer)"
        }
        return settings.sharedPath(first, second).map { "the setting \(SettingPath.text($0))" }
    }
}
