import AllotAnalysis
import AllotConfiguration
import AllotExposures
import AllotReports
import ArgumentParser

struct ExposureCountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts",
        abstract: "Count the exposed units by randomisation, variant and revision.",
        usage: "allot exposures counts <store> [--experiment <key> ...] [<options>]",
        discussion: """
            A new salt is a new randomisation of the same experiment; each is counted by itself. A unit belongs to the \
            revision of its first exposure. Forced units and overrides on devices are shown apart.
            """)

    @OptionGroup
    var store: StoreArgument

    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []

    @OptionGroup
    var report: ReportOptions<AllForms>

    func run() throws {
        let experiments: [String?] = experiments.isEmpty ? [nil] : experiments
        let (all, absence) = try store.use { store -> ([(StoredRandomisation, ExposureCounts)], String?) in
            var all: [(StoredRandomisation, ExposureCounts)] = []
            for experiment in experiments {
                let found = try await store.randomisations(of: experiment)
                if found.isEmpty, let absence = try await store.absence(of: ExposureSelection(experiment: experiment)) {
                    return (all, absence)
                }
                for randomisation in found {
                    let counts = try await store.counts(experiment: randomisation.experiment, salt: randomisation.salt)
                    all.append((randomisation, counts))
                }
            }
            return (all, nil)
        }
        if let absence { throw CommandFailure(absence) }
        let counts = all.map { JSONValue.object($1.json(experiment: $0.experiment, salt: $0.salt)) }
        let shown = Report("", title: "Exposures", all.map { Self.section($0, $1) })
        try report.write(shown, json: .array(counts))
    }

    private static func section(_ randomisation: StoredRandomisation, _ counts: ExposureCounts) -> Report.Block {
        let salt =
            UTF8Order.areEqual(randomisation.salt, randomisation.experiment)
            ? "" : ", salt \(PrintableText(randomisation.salt))"
        let columns: [Report.Column] = [
            .text("variant"), .number("units"), .text("revision"), .text("first exposures"), .text(""),
        ]
        let rows = counts.groups.map { group -> [Report.Cell] in
            let times = [group.earliest, group.latest].map { Instant(milliseconds: $0).minuteText }
            let note = group.isCounted ? "" : "not counted: \(group.isOverridden ? "override" : group.reason)"
            return [
                .name(group.variant), "\(group.units)", .name(group.revision ?? ""),
                Report.Cell(times.joined(separator: " to ")), Report.Cell(note),
            ]
        }
        let several = counts.unitsInSeveralVariants
        let notes = several > 0 ? ["\(counted(several, "unit")) in several variants; it should be none"] : []
        return .section(
            Report.Section(
                "\(PrintableText(randomisation.experiment))\(salt)", isGood: several == 0,
                [.table(columns, rows), .notes(notes)]))
    }
}
