import AllotStatistics

extension DifferenceReport {
    /// The report for a pull request, in GitHub's Markdown.
    var markdownLines: [String] {
        var lines = ["### \(movesEnrolled ? "⚠️" : "✅") \(Self.escaped(verdict))"]
        for experiment in changed { lines += [""] + markdown(experiment) }
        if !movement.base.isEmpty {
            lines += ["", "#### Base", ""]
            lines += movement.base.map { "* `\($0.setting)`: \(Self.code($0.values)), for \($0.whom)" }
        }
        if !movement.surroundings.isEmpty {
            lines += ["", "#### Layers and holdouts", ""] + movement.surroundings.map { "* \(Self.escaped($0))" }
        }
        let source = users.map { " " + Self.escaped(Self.counted($0.rowCount, $0.missingColumns)) } ?? ""
        return lines + [
            "",
            "<sub>`allot diff` at \(instant.minuteText); shares are exact, of the units in the audience.\(source)</sub>",
        ]
    }

    private func markdown(_ experiment: Experiment) -> [String] {
        let movement = experiment.movement
        var lines = ["#### \(experiment.movesEnrolled ? "⚠️ " : "")`\(movement.experiment)`: \(movement.totals)", ""]
        lines += movement.changes.map { "* \(Self.escaped($0))" }
        let rows = experiment.rows
        if !rows.isEmpty {
            let counts = experiment.users == nil ? ("", "") : (" users |", " ---: |")
            lines += ["", "| before | after | share |\(counts.0) |", "| --- | --- | ---: |\(counts.1) --- |"]
            lines += rows.map { row in
                let states = [row.from, row.to].map { $0.map(Self.code) ?? "none" }.joined(separator: " | ")
                let share = row.share.isNone ? "" : "\(row.share)"
                return "| \(states) | \(share) |\(row.count.map { " \($0) |" } ?? "") \(row.kind.rawValue) |"
            }
        }
        var notes = [movement.audienceNote].compactMap { $0 }
        if movement.isRerandomised {
            notes.append("every unit is drawn anew: results from before and after must not be added up")
        }
        notes += movement.warnings
        if !notes.isEmpty { lines += [""] + notes.map { "> \(Self.escaped($0))  " } }
        if !movement.settings.isEmpty {
            lines +=
                [""]
                + movement.settings.map { "* `\($0.setting)`: \(Self.code($0.values)) for \(Self.escaped($0.whom))" }
        }
        return lines
    }

    /// Text in which no character means anything to Markdown.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|~".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// Text as code, in a table too.
    private static func code(_ text: String) -> String {
        let fence = text.contains("`") ? "``" : "`"
        let padding = text.contains("`") ? " " : ""
        return fence + padding + text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
            + padding + fence
    }
}
