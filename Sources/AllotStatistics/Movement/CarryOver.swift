import Allot
import AllotConfiguration

/// What units that were drawn anew, or come from another experiment, bring along into results.
struct CarryOver {
    let old: Definitions
    let new: Definitions
    let instant: Instant

    /// What to say of an experiment.
    func warnings(
        of experiment: ExperimentDefinition, before: ExperimentDefinition?,
        _ transitions: [ExperimentMovement.Transition],
        after: Enrolment, isRerandomised: Bool
    ) -> [String] {
        var lines: [String] = []
        if let before {
            lines += mixed(transitions, after)
            if isRerandomised, transitions.contains(where: { $0.kind != .enters }) {
                lines += dependants(of: experiment, before)
            }
        }
        if after.isRandomised { lines += inheritedSlots(experiment, before) }
        return lines
    }

    /// For each variant the units that held another one before.
    private func mixed(_ transitions: [ExperimentMovement.Transition], _ after: Enrolment) -> [String] {
        guard after.isRandomised else { return [] }
        return zip(after.variants, after.shares).compactMap { variant, share in
            let moved = transitions.filter { $0.to == variant && $0.kind == .moves }
                .reduce(ExactShare.none) { $0 + $1.share }
            guard !moved.isNone else { return nil }
            let percent = Self.percent(moved.value / share.value)
            return "carry-over: \(percent) of the units of \(variant) held another variant before"
        }
    }

    /// The experiments that lean on a draw that is made anew.
    private func dependants(of experiment: ExperimentDefinition, _ before: ExperimentDefinition) -> [String] {
        var lines: [String] = []
        let requiring = new.experiments.filter { other in
            other.requirements.contains { $0.experiment == experiment.key }
        }.map(\.key)
        if !requiring.isEmpty {
            lines.append(
                "its new draw also changes who can be in \(requiring.joined(separator: ", ")), which require it")
        }
        let sharing = old.experiments.filter {
            $0.key != experiment.key && $0.salt == before.salt && UTF8Order.areEqual($0.unit, before.unit)
        }.map(\.key)
        if !sharing.isEmpty {
            lines.append("it shared the salt \(before.salt) with \(sharing.joined(separator: ", ")) and no longer does")
        }
        return lines
    }

    /// Slots that an experiment takes over from others: their units have met those variants.
    private func inheritedSlots(_ experiment: ExperimentDefinition, _ before: ExperimentDefinition?) -> [String] {
        guard let layer = new.layers.first(where: { $0.name == experiment.layer }),
            let former = old.layers.first(where: { $0.name == experiment.layer }),
            layer.salt == former.salt, UTF8Order.areEqual(layer.unit, former.unit)
        else { return [] }
        let held = before?.layer == experiment.layer ? BucketSet(before?.slots ?? []) : .none
        let taken = BucketSet(experiment.slots).subtracting(held)
        return old.experiments.compactMap { other in
            guard other.key != experiment.key, other.layer == experiment.layer, other.status != .draft else {
                return nil
            }
            if let starts = other.starts, instant < starts { return nil }
            let shared = taken.intersection(BucketSet(other.slots)).count
            guard shared > 0 else { return nil }
            let percent = Self.percent(Double(shared) / Double(BucketSet(experiment.slots).count))
            let isSameDraw = other.salt == experiment.salt && UTF8Order.areEqual(other.unit, experiment.unit)
            return
                "carry-over: \(percent) of its slots were held by \(other.key), whose variants their units have met; "
                + (isSameDraw
                    ? "with the same salt they are split the same way again, so give it a salt of its own"
                    : "with another salt that is spread evenly over its variants")
        }
    }

    private static func percent(_ share: Double) -> String {
        let tenths = Int(share * 1000 + 0.5)
        return tenths == 0 ? "<0.1%" : tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
    }
}
