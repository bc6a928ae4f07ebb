import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotExposures
import AllotFiles
import AllotReports
import ArgumentParser

struct ExposurePurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Delete exposures: old ones, those of experiments, or all.",
        usage: """
            allot exposures purge <store> [--before <instant>] [--experiment <key>]
            [--unknown] [--all] [--write] [<options>]
            """,
        discussion: """
            First prints how many exposures of each experiment that is, and from when to when; nothing is deleted \
            without --write. With several of --before, --experiment and --unknown, only exposures are deleted that all \
            of them mean. allot-server deletes old ones by itself with --exposure-retention.

            --unknown means what exposures name although no definition has had it: experiments, salts and variants \
            that neither --definitions nor a server of the store has had. Anybody who may send exposures can invent \
            such names. Those of former experiments stay, and so do those that a version without this option stored: \
            name their experiments with --experiment.

            EXAMPLES
              allot exposures purge allot.sqlite --before 2026-01-01T00:00:00Z
              allot exposures purge allot.sqlite --before 2026-01-01T00:00:00Z --write
              allot exposures purge allot.sqlite --unknown --definitions Experiments --write
            """)

    @OptionGroup var store: StoreArgument
    @Option(
        help: .value("instant", "Delete the exposures before this instant, such as 2026-01-01T00:00:00Z."),
        transform: Instant.init(argument:))
    var before: Instant?
    @Option(help: .experiment, completion: .names(of: .experiments)) var experiment: [String] = []
    @Flag(help: "Delete the exposures to what no definition has had.") var unknown = false
    @Flag(help: "Delete every exposure, or every one before an instant in the future.") var all = false
    @OptionGroup var deletion: DeletionOptions
    @OptionGroup var folder: FolderOptions

    func validate() throws {
        if all, unknown || !experiment.isEmpty {
            throw ValidationError("--all means every exposure; leave out --experiment and --unknown.")
        }
        if let before, before > .now, !all {
            throw ValidationError(
                "--before \(before) is in the future; give an instant of the past, or --all for every exposure.")
        }
    }

    func run() throws {
        guard before != nil || !experiment.isEmpty || unknown || all
        else { throw UsageFailure("Missing which exposures; add '--before', '--experiment', '--unknown' or '--all'") }
        var chosen = ExposureDeletion.all
        chosen.before = before?.milliseconds
        if !experiment.isEmpty { chosen.experiments = experiment }
        var words: [String] = []
        var members = JSONObject(members: ["all": all, "experiment": experiment, "unknown": unknown])
        if !experiment.isEmpty { words.append("to \(experiment.quoted(atMost: 12))") }
        if unknown { words.append("to what no definition has had") }
        if let before {
            words.append("before \(before)")
            members["before"] = .string(before.description)
        }
        let plan = try unknown ? folder.load(at: .now).plan : nil
        try deletion.run(
            on: store, words, members,
            choice: { [chosen] store in
                guard let plan else { return chosen }
                var deletion = chosen
                deletion.unconfirmed = try await store.unconfirmedArms().filter {
                    !plan.hasVariant($0.variant, of: $0.experiment, salt: $0.salt)
                }
                return deletion
            }, delete: { try await $0.delete($1) })
    }
}

struct ExposureEraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Delete all exposures of one unit.",
        usage: "allot exposures erase <store> <unit> [--write] [<options>]",
        discussion: """
            First prints how many exposures to each experiment that is; nothing is deleted without --write. With it, \
            no row of the unit is left, and in an SQLite store no bytes of it in the files. What backups, replicas and \
            exports have is not touched. An app that has not sent all its exposures may send more. A unit of several \
            attributes is another unit: erase u1|bonn as well as u1.

            EXAMPLES
              allot exposures erase allot.sqlite user-42
              allot exposures erase allot.sqlite user-42 --write
            """)

    @OptionGroup var store: StoreArgument
    @Argument(help: "The unit's ID.") var unit: String
    @OptionGroup var deletion: DeletionOptions

    func run() throws {
        let unit = unit
        try deletion.run(
            on: store, ["of \(QuotedText(unit))"], ["unit": .string(unit)],
            choice: { _ in ExposureDeletion(unit: unit) }, delete: { store, _ in try await store.erase(unit: unit) })
    }
}

/// Whether exposures are deleted, or only counted.
struct DeletionOptions: ParsableArguments {
    @Flag(help: .write) var write = false
    @OptionGroup var report: ReportOptions<AllForms>

    /// Prints the exposures of a deletion, and deletes them with `--write`; the words follow their number, and the
    /// members say the same to programs.
    func run(
        on store: StoreArgument, _ words: [String], _ members: JSONObject,
        choice: @escaping @Sendable (ExposureStore) async throws -> ExposureDeletion,
        delete: @escaping @Sendable (ExposureStore, ExposureDeletion) async throws -> Int
    ) throws {
        let write = write
        // A terminal has what will be gone before it is.
        let printsFirst = report.chosen == .text && report.output == "-"
        let (parts, deleted) = try store.use { store in
            let deletion = try await choice(store)
            for experiment in deletion.experiments ?? [] {
                let absence = try await store.absence(of: ExposureSelection(experiment: experiment))
                if let absence { StandardError.write("allot: note: \(absence)") }
            }
            let parts = try await store.preview(of: deletion)
            if printsFirst, !parts.isEmpty {
                try StandardOutput.write(TextRenderer().lines([Self.table(parts)]) + [""])
            }
            return (parts, try await write ? delete(store, deletion) : 0)
        }
        var object = members
        object["experiments"] = parts.objects {
            let times = [$0.earliest, $0.latest].map { Instant(milliseconds: $0).text(.milliseconds) }
            return ["earliest": times[0], "experiment": $0.experiment, "exposures": $0.count, "latest": times[1]]
        }
        object["deleted"] = .int(deleted)
        object["written"] = .boolean(write)
        let count = write ? deleted : parts.reduce(0) { $0 + $1.count }
        let end = write ? " deleted" : count == 0 ? "" : ", not deleted yet; --write does it"
        let summary = ([counted(count, "exposure")] + words).joined(separator: " ") + end
        let blocks = printsFirst || parts.isEmpty ? [] : [Self.table(parts)]
        try report.write(Report(summary, title: "Deletion", endsWithVerdict: true, blocks), json: .object(object))
    }

    private static func table(_ parts: [ExposureDeletion.Part]) -> Report.Block {
        let rows = parts.map { part -> [Report.Cell] in
            let times = [part.earliest, part.latest].map { Report.Cell(Instant(milliseconds: $0).minuteText) }
            return [.name(part.experiment), "\(part.count)"] + times
        }
        let columns: [Report.Column] = [.text("experiment"), .number("exposures"), .text("first"), .text("last")]
        return .table(Report.Table(columns, rows, isAtMargin: true))
    }
}
