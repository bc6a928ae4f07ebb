import AllotAnalysis
import AllotConfiguration
import AllotExposures
import AllotFiles
import AllotReports
import ArgumentParser

struct ExposureCountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counts",
        abstract: "Count the exposed units by randomisation, variant and revision.",
        discussion: """
            A new salt is a new randomisation of the same experiment; each is counted by itself. A unit belongs to the \
            revision of its first exposure. Forced units and overrides on devices are shown apart.
            """)

    @OptionGroup
    var store: StoreArgument

    @Option(help: .value("key", "Only this experiment."), completion: .names(of: .experiments))
    var experiment: String?

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let experiment = experiment
        let (all, absence) = try store.use { store in
            var all: [(StoredRandomisation, ExposureCounts)] = []
            for randomisation in try await store.randomisations(of: experiment) {
                let counts = try await store.counts(experiment: randomisation.experiment, salt: randomisation.salt)
                all.append((randomisation, counts))
            }
            let isAbsent = all.isEmpty
            return (all, isAbsent ? try await store.absence(of: ExposureSelection(experiment: experiment)) : nil)
        }
        if let absence { throw CommandFailure(absence) }
        if json {
            let counts = all.map { JSONValue.object($1.json(experiment: $0.experiment, salt: $0.salt)) }
            return try StandardOutput.write([JSONValue.array(counts).prettyText])
        }
        try StandardOutput.write(all.flatMap { Self.lines($0, $1) })
    }

    private static func lines(_ randomisation: StoredRandomisation, _ counts: ExposureCounts) -> [String] {
        let salt =
            UTF8Order.areEqual(randomisation.salt, randomisation.experiment)
            ? "" : ", salt \(PrintableText(randomisation.salt))"
        var table = TextTable(
            [["variant", "units", "revision", "first exposures", ""]], numberColumns: [1])
        for group in counts.groups {
            let times = [group.earliest, group.latest].map { Instant(milliseconds: $0).minuteText }
            let note = group.isCounted ? "" : "not counted: \(group.isOverridden ? "override" : group.reason)"
            table.append(
                [group.variant, "\(group.units)", group.revision ?? "", times.joined(separator: " to "), note])
        }
        var lines = ["\(PrintableText(randomisation.experiment))\(salt)"] + table.lines(indent: 2)
        if counts.unitsInSeveralVariants > 0 {
            lines.append("  \(counted(counts.unitsInSeveralVariants, "unit")) in several variants; it should be none")
        }
        return lines + [""]
    }
}
