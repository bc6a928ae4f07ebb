import AllotAnalysis
import AllotConfiguration
import AllotExposures
import AllotReports
import ArgumentParser

struct ExposureCountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts", abstract: "Count the exposed units by randomisation, variant and revision.",
        usage: "allot exposures counts <store> [--experiment <key> ...] [<options>]",
        discussion: """
            A new salt is a new randomisation of the same experiment; each is counted by itself. A unit belongs to the \
            revision of its first exposure. A unit of an experiment with a period counts once in each window: the \
            table says unit-windows. Forced units and overrides on devices are shown apart.
            """)

    @OptionGroup var store: StoreArgument
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @OptionGroup var report: ReportOptions<AllForms>

    private typealias Counted = (randomisation: StoredRandomisation, counts: ExposureCounts, hasWindows: Bool)

    func run() throws {
        let experiments: [String?] = experiments.isEmpty ? [nil] : experiments
        let (all, absence) = try store.use { store -> ([Counted], String?) in
            var all: [Counted] = []
            for experiment in experiments {
                let found = try await store.randomisations(of: experiment)
                if found.isEmpty, let absence = try await store.absence(of: ExposureSelection(experiment: experiment)) {
                    return (all, absence)
                }
                for randomisation in found {
                    let (key, salt) = (randomisation.experiment, randomisation.salt)
                    let counts = try await store.counts(experiment: key, salt: salt)
                    all.append((randomisation, counts, try await store.hasWindows(experiment: key, salt: salt)))
                }
            }
            return (all, nil)
        }
        if let absence { throw CommandFailure(absence) }
        let counts = all.map { randomisation, counts, _ in
            JSONValue.object(counts.json(experiment: randomisation.experiment, salt: randomisation.salt))
        }
        try report.write(Report("", title: "Exposures", all.map(Self.section)), json: .array(counts))
    }

    private static func section(_ found: Counted) -> Report.Block {
        let (randomisation, counts, hasWindows) = found
        let noun = hasWindows ? "unit-window" : "unit"
        let salt =
            UTF8Order.areEqual(randomisation.salt, randomisation.experiment)
            ? "" : ", salt \(PrintableText(randomisation.salt))"
        let columns: [Report.Column] = [
            .text("variant"), .number("\(noun)s"), .text("revision"), .text("first exposures"), .text(""),
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
        let notes = several > 0 ? ["\(counted(several, noun)) in several variants; it should be none"] : []
        return .section(
            Report.Section(
                "\(PrintableText(randomisation.experiment))\(salt)", isGood: several == 0,
                [.table(columns, rows), .notes(notes)]))
    }
}
