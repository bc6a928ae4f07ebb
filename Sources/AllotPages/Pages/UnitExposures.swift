import AllotConfiguration
import AllotCore
internal import AllotExposures

/// The exposures of a unit that a store has, next to what the unit gets now.
struct UnitExposures {
    /// A note on all of them; `nil` if they are all shown.
    let note: String?
    private let exposures: [Exposure]
    private let plan: Plan
    private static let mostOfOne = 5
    /// The most exposures that are read of a unit: the usual limit of a store.
    private static let mostRead = 200

    /// Reads what a store has of a unit; experiments that are gone are taken to have randomised it by its ID.
    init(_ known: UnitPage.Exposures, _ answer: UnitPage.Answer, id: String) {
        plan = answer.plan
        switch known {
        case .noStore: (exposures, note) = ([], nil)
        case .unreadable: (exposures, note) = ([], "The store of exposures cannot be read now; try again later.")
        case .read(let read):
            let experiments = answer.explanation.experiments.map { (UTF8Key($0.assignment.experiment), $0.unitID) }
            let units = Dictionary(experiments) { first, _ in first }
            exposures = read.filter { exposure in
                // An ID may be that of another kind of unit too.
                let isDefined = answer.plan.index(of: exposure.experiment) != nil
                let unit: String? = units[UTF8Key(exposure.experiment)] ?? (isDefined ? nil : id)
                return unit.map { UTF8Order.areEqual($0, exposure.unit) } ?? false
            }
            let counts = read.reduce(into: [UTF8Key: Int]()) { $0[UTF8Key($1.unit), default: 0] += 1 }
            if counts.values.contains(where: { $0 >= Self.mostRead }) {
                note = "Only the last \(Self.mostRead) exposures of a unit are read; older ones are not shown."
            } else if !exposures.isEmpty {
                note = nil
            } else if answer.isSelection {
                note = "The store has no exposure of this unit to the experiments that are shown."
            } else {
                note = "The store has no exposure of this unit."
            }
        }
    }

    /// The exposures to an experiment, each with whether its variant is another one than the unit gets now.
    func of(_ experiment: Explanation.Experiment) -> [(text: String, isDifferent: Bool)] {
        let key = experiment.assignment.experiment
        return exposures.filter { UTF8Order.areEqual($0.experiment, key) }.prefix(Self.mostOfOne).map { exposure in
            // Another window may have given the unit another variant.
            let isSame =
                exposure.window != experiment.assignment.window?.number
                || experiment.assignment.variant.map { UTF8Order.areEqual($0, exposure.variant) } ?? false
            return (
                text(exposure),
                !isSame && exposure.isCounted && exposure.reason == Reason.split.text && isPresent(exposure)
            )
        }
    }

    func others(besides keys: [String]) -> [(experiment: String, text: String)] {
        let shown = Set(keys.map(UTF8Key.init))
        return exposures.filter { !shown.contains(UTF8Key($0.experiment)) }.map { ($0.experiment, text($0)) }
    }

    private func isPresent(_ exposure: Exposure) -> Bool {
        let salt = plan.index(of: exposure.experiment).flatMap { plan.experiments[$0].salt }
        return salt.map { UTF8Order.areEqual($0, exposure.salt) } ?? false
    }

    /// The variant, when it was met first, and what is unusual: `bar first at 2026-11-11T09:12Z (forced)`.
    private func text(_ exposure: Exposure) -> String {
        let notes = [
            exposure.window.map { "window \($0)" }, exposure.reason == Reason.split.text ? nil : exposure.reason,
            exposure.isOverridden ? "set on the device" : nil, exposure.isCounted ? nil : "not counted",
            isPresent(exposure) || plan.index(of: exposure.experiment) == nil
                ? nil : "another randomisation, with the salt \(exposure.salt)",
        ].compactMap(\.self)
        let instant = Instant(milliseconds: exposure.at).minuteText
        return "\(exposure.variant) first at \(instant)" + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}
