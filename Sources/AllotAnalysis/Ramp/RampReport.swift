import AllotConfiguration
import AllotCore
import AllotReports

/// The effect of an experiment's traffic steps, and when they have it: on its own units, and on those of experiments
/// that require it.
package struct RampReport: Sendable {
    private struct Row {
        let step: Traffic.Step
        let isFirst: Bool
        let experiment: String
        let shares: [String]
        let transitions: [ExperimentReassignment.Transition]
    }

    private let rows: [Row]
    /// Whether units are randomised anew in windows, so that steps are compared within one.
    private let hasWindows: Bool

    package init(_ plan: Plan, experiment index: Int, after instant: Instant) {
        let definitions = DefinitionsIndex(plan.definitions)
        let affected = [index] + plan.experiments.indices.filter { $0 != index && plan.order(of: [$0]).contains(index) }
        let traffic = plan.experiments[index].traffic
        let hasWindows = affected.contains { plan.experiments[$0].draw?.period != nil }
        self.hasWindows = hasWindows
        rows = traffic.steps.filter { $0.from > instant }.flatMap { step -> [Row] in
            // A step may come with a window. Its effect is that of the same window with the former share.
            var former = plan.definitions
            former.experiments[index].traffic = .constant(traffic.share(at: step.from.justBefore))
            let formerIndex = hasWindows ? DefinitionsIndex(former) : definitions
            return affected.compactMap { other in
                let definition = plan.definitions.experiments[other]
                let before = AssignmentRegions(
                    hasWindows ? former.experiments[other] : definition, in: formerIndex,
                    at: hasWindows ? step.from : step.from.justBefore)
                let after = AssignmentRegions(definition, in: definitions, at: step.from)
                let transitions = before.transitions(to: after)
                guard other == index || transitions.contains(where: { $0.kind != .stays }) else { return nil }
                return Row(
                    step: step, isFirst: other == index, experiment: definition.key,
                    shares: [traffic.share(at: step.from.justBefore), step.share].map(Percentage.text(ofBuckets:)),
                    transitions: transitions)
            }
        }
    }

    /// The report for people: a row for each step and experiment, and the verdict; nothing without steps to come.
    package var blocks: [Report.Block] {
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { row -> [Report.Cell] in
            let own = row.isFirst ? [row.step.from.shortText, row.shares.joined(separator: " → ")] : ["", ""]
            let totals = Report.Cell(ExperimentReassignment.totals(of: row.transitions))
            return [Report.Cell(own[0]), .name(row.experiment), Report.Cell(own[1]), totals]
        }
        let columns: [Report.Column] = [.text("from"), .text("experiment"), .text("traffic"), .text("units")]
        let steps = Report.Block.table(columns, cells, showsHead: false)
        let parts: [Report.Block] = [.text("Steps to come, of the units in the audience:"), steps, .text(verdict)]
        return [.section(Report.Section("", isGood: moving.isEmpty, parts))]
    }

    package var json: JSONValue {
        rows.objects { row in
            [
                "from": row.step.from.description, "experiment": row.experiment,
                "traffic_before": row.shares[0], "traffic": row.shares[1],
                "transitions": row.transitions.map { $0.json() },
            ]
        }
    }

    private var moving: Set<String> {
        Set(rows.filter { $0.transitions.contains { $0.kind == .moves || $0.kind == .leaves } }.map(\.experiment))
    }

    private var verdict: String {
        let note = hasWindows ? " Units are randomised anew in each window; this is the effect within one." : ""
        return moving.isEmpty
            ? "No unit changes its variant, and none leaves.\(note)"
            : "Units move or leave in \(moving.sorted(by: UTF8Order.precedes).listed(atMost: 12)).\(note)"
    }
}

extension Instant {
    var justBefore: Instant {
        nanoseconds > 0
            ? Instant(seconds: seconds, nanoseconds: nanoseconds - 1)
            : Instant(seconds: seconds - 1, nanoseconds: 999_999_999)
    }
}
