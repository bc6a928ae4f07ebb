import AllotConfiguration
import AllotReports

extension ReassignmentReport {
    /// The report for a terminal.
    public var lines: [String] {
        var lines = [verdict]
        for experiment in changed { lines += [""] + text(experiment) }
        if !reassignment.base.isEmpty {
            lines += ["", "base"]
            lines += reassignment.base.map { "    \(PrintableText($0.setting)): \($0.values), for \($0.affectedUnits)" }
        }
        if !reassignment.surroundings.isEmpty {
            lines += ["", "layers and holdouts"] + reassignment.surroundings.map { "    \(PrintableText(line: $0))" }
        }
        return lines + (usersText.map { ["", $0] } ?? [])
    }

    /// The lines about one experiment, without its key; empty if nothing changes.
    package func lines(of key: String) -> [String] {
        changed.first { $0.reassignment.experiment == key }.map { text($0).dropFirst().map { String($0.dropFirst(4)) } }
            ?? []
    }

    private func text(_ experiment: Experiment) -> [String] {
        let reassignment = experiment.reassignment
        let cells = experiment.rows.map { transition, count in
            [
                transition.text, transition.share.isNone ? "" : "\(transition.share)",
                count.map { counted($0, "unit") } ?? "", transition.kind.rawValue,
            ]
        }
        let settings = reassignment.settings.map {
            "\(PrintableText($0.setting)): \($0.values) for \($0.affectedUnits)"
        }
        let notes = ["of the units in its audience \(reassignment.totals)"] + experiment.notes + settings
        let owner = reassignment.owner.map { " (\(PrintableText($0)))" } ?? ""
        return [reassignment.experiment + owner] + reassignment.changes.map { "    \(PrintableText(line: $0))" }
            + TextTable(cells, numberColumns: [1, 2]).lines()
            + notes.map { "    \(PrintableText(line: $0))" }
    }
}
