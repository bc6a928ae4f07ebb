import AllotStatistics

extension DifferenceReport {
    /// The report for a terminal.
    var textLines: [String] {
        var lines = [verdict]
        for experiment in changed { lines += [""] + text(experiment) }
        if !movement.base.isEmpty {
            lines += ["", "base"]
            lines += movement.base.map { "    \($0.setting): \($0.values), for \($0.whom)" }
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
                    row.count.map { ProblemSummary.counted($0, "user") } ?? "", row.kind.rawValue,
                ]
            }
            lines += TextTable(cells, rightAligned: [1, 2]).lines.map { "    \($0)" }
        }
        lines.append("    of the units in its audience \(movement.totals)")
        if let note = movement.audienceNote { lines.append("    \(note)") }
        if let forced = experiment.users?.forcedCount, forced > 0 {
            lines.append("    \(ProblemSummary.counted(forced, "user")) forced before or after, not counted above")
        }
        if movement.isRerandomised {
            lines.append("    every unit is drawn anew: results from before and after must not be added up")
        }
        lines += movement.warnings.map { "    \($0)" }
        lines += movement.settings.map { "    \($0.setting): \($0.values) for \($0.whom)" }
        return lines
    }

    static func counted(_ rows: Int, _ missing: [String]) -> String {
        let note =
            missing.isEmpty
            ? "" : "; no column for \(missing.joined(separator: ", ")), which conditions saw as missing"
        return "Counted on \(ProblemSummary.counted(rows, "row"))\(note)."
    }
}
