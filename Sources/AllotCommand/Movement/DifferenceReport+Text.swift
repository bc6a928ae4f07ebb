import AllotAnalysis
import AllotConfiguration

extension DifferenceReport {
    /// The report for a terminal.
    var textLines: [String] {
        var lines = [verdict]
        for experiment in changed { lines += [""] + text(experiment) }
        if !movement.base.isEmpty {
            lines += ["", "base"]
            lines += movement.base.map { "    \(PrintableText($0.setting)): \($0.values), for \($0.whom)" }
        }
        if !movement.surroundings.isEmpty {
            lines += ["", "layers and holdouts"] + movement.surroundings.map { "    \($0)" }
        }
        return lines + (users.map { ["", Self.counted($0.rowCount, $0.missingColumns)] } ?? [])
    }

    private func text(_ experiment: Experiment) -> [String] {
        let movement = experiment.movement
        var lines = [movement.experiment]
        lines += movement.changes.map { "    \($0)" }
        let rows = experiment.rows
        if !rows.isEmpty {
            let cells = rows.map { row in
                [
                    "\(row.from ?? "none") → \(row.to ?? "none")", row.share.isNone ? "" : "\(row.share)",
                    row.count.map { AllotConfiguration.counted($0, "user") } ?? "", row.kind.rawValue,
                ]
            }
            lines += TextTable(cells, rightAligned: [1, 2]).lines.map { "    \($0)" }
        }
        lines.append("    of the units in its audience \(movement.totals)")
        lines += experiment.notes.map { "    \($0)" }
        return lines + movement.settings.map { "    \(PrintableText($0.setting)): \($0.values) for \($0.whom)" }
    }

    static func counted(_ rows: Int, _ missing: [String]) -> String {
        let note =
            missing.isEmpty
            ? "" : "; no column for \(missing.joined(separator: ", ")), which conditions saw as missing"
        return "Counted on \(AllotConfiguration.counted(rows, "row"))\(note)."
    }
}
