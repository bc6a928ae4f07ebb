import AllotConfiguration
import AllotReports

extension ReassignmentReport {
    /// The report for a terminal.
    public var lines: [String] { TextRenderer().lines(report) }

    package var report: Report {
        let harms = reassignsEnrolledUnits || changed.contains { !$0.reassignment.carryOver.isEmpty }
        var report = Report(
            verdict, isGood: !harms,
            source: "allot diff at \(instant.minuteText); shares are exact, of the units in the audience.",
            changed.map { .section($0.section) })
        report.add(Self.section("base", reassignment.base.map { "\($0.words), for \($0.affectedUnits)" }))
        report.add(Self.section("layers and holdouts", reassignment.surroundings))
        report.add(usersText.map(Report.Block.text))
        return report
    }

    private static func section(_ name: String, _ lines: [String]) -> Report.Block? {
        lines.isEmpty ? nil : .section(Report.Section(Report.Cell(name), [.list(lines)]))
    }

    /// The report about one experiment, without its key; empty if nothing changes.
    package func blocks(of key: String) -> [Report.Block] {
        changed.first { $0.reassignment.experiment == key }?.section.blocks ?? []
    }
}

extension ReassignmentReport.Experiment {
    fileprivate var section: Report.Section {
        let units = isConclusive ? [Report.Column.number("units")] : []
        let columns = [Report.Column.text("change"), .number("share")] + units + [Report.Column.text("kind")]
        let cells = rows.map { transition, count -> [Report.Cell] in
            let share = transition.share.isNone ? "" : "\(transition.share)"
            let texts = [share, count.map { counted($0, "unit") }, transition.kind.rawValue].compactMap(\.self)
            return [Report.Cell.name(transition.text)] + texts.map { Report.Cell($0) }
        }
        return Report.Section(
            .name(reassignment.experiment), note: reassignment.owner.map { PrintableText($0).description },
            isGood: !reassignsEnrolledUnits,
            [
                .list(reassignment.changes), .table(columns, cells, showsHead: false),
                .notes(["of the units in its audience \(reassignment.totals)"] + notes),
                .list(reassignment.settings.map { "\($0.words) for \($0.affectedUnits)" }),
            ])
    }
}

extension SettingChange {
    fileprivate var words: String { "\(PrintableText(setting)): \(values)" }
}
