import AllotConfiguration

extension ReassignmentReport {
    /// The report for a pull request, in GitHub's Markdown.
    package var markdownLines: [String] {
        let harms = reassignsEnrolledUnits || changed.contains { !$0.reassignment.carryOver.isEmpty }
        var lines = ["### \(harms ? "⚠️" : "✅") \(MarkdownText(line: verdict))"]
        for experiment in changed.prefix(Self.experimentsShown) { lines += [""] + markdown(experiment) }
        if changed.count > Self.experimentsShown {
            let left = changed[Self.experimentsShown...].map { "\(MarkdownText(code: $0.reassignment.experiment))" }
            lines += ["", "Not shown: \(left.prefix(200).joined(separator: ", "))"]
        }
        if !reassignment.base.isEmpty {
            lines += ["", "#### Base", ""]
            lines += Self.listed(
                reassignment.base.map {
                    "* \(MarkdownText(code: $0.setting)): \(MarkdownText(code: $0.values)), for \($0.affectedUnits)"
                })
        }
        if !reassignment.surroundings.isEmpty {
            lines +=
                ["", "#### Layers and holdouts", ""] + reassignment.surroundings.map { "* \(MarkdownText(line: $0))" }
        }
        let source = usersText.map { " \(MarkdownText(line: $0))" } ?? ""
        return lines + [
            "",
            "<sub>`allot diff` at \(instant.minuteText); shares are exact, of the units in the "
                + "audience.\(source)</sub>",
        ]
    }

    private func markdown(_ experiment: Experiment) -> [String] {
        let reassignment = experiment.reassignment
        let sign = experiment.reassignsEnrolledUnits ? "⚠️ " : ""
        var lines = ["#### \(sign)`\(reassignment.experiment)`: \(reassignment.totals)", ""]
        if let owner = reassignment.owner { lines.append("* owner \(MarkdownText(code: owner))") }
        lines += Self.listed(reassignment.changes.map { "* \(MarkdownText(line: $0))" })
        let rows = experiment.rows
        if !rows.isEmpty {
            let counts = experiment.isConclusive ? (" units |", " ---: |") : ("", "")
            lines += ["", "| before | after | share |\(counts.0) |", "| --- | --- | ---: |\(counts.1) --- |"]
            lines += rows.prefix(Self.linesShown).map { row, count in
                let states = [row.from, row.to].map { $0.map { "\(MarkdownText(code: $0))" } ?? "none" }.joined(
                    separator: " | ")
                let share = row.share.isNone ? "" : "\(row.share)"
                return "| \(states) | \(share) |\(count.map { " \($0) |" } ?? "") \(row.kind.rawValue) |"
            }
            if rows.count > Self.linesShown { lines += ["", "and \(rows.count - Self.linesShown) more rows"] }
        }
        if !experiment.notes.isEmpty {
            lines += [""] + Self.listed(experiment.notes.map { "> \(MarkdownText(line: $0))  " })
        }
        if !reassignment.settings.isEmpty {
            lines.append("")
            lines += Self.listed(
                reassignment.settings.map {
                    "* \(MarkdownText(code: $0.setting)): \(MarkdownText(code: $0.values)) for "
                        + "\(MarkdownText(line: $0.affectedUnits))"
                })
        }
        return lines
    }

    // A comment on GitHub can have 65,536 characters.
    private static let experimentsShown = 25
    private static let linesShown = 20

    /// The first lines, and the number of further ones.
    private static func listed(_ lines: [String]) -> [String] {
        lines.count > linesShown ? lines.prefix(linesShown) + ["* and \(lines.count - linesShown) more"] : lines
    }
}
