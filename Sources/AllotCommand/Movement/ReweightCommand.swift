import Allot
import AllotAnalysis
import AllotBatch
import AllotDefinitions
import AllotFiles
import AllotStatistics
import ArgumentParser

/// `allot reweight`
struct ReweightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reweight",
        abstract: "Change the shares of an experiment with the least possible movement.",
        usage: "allot reweight <experiment> [<variant>=<share> ...] [<options>]",
        discussion: """
            Writes explicit buckets into the definition, so that only those units move that have to: as many as the shares \
            differ, and none between variants that both keep or grow. Comments and layout of the file stay. Variants that \
            are not named keep their share; --close spreads the units of a variant over the others, --add takes those of a \
            new one from the others in proportion. First prints what allot diff says of the change; nothing is written without \
            --write.

            EXAMPLES
              allot reweight checkout-button control=20% green=80%
              allot reweight checkout-button control=20% green=80% --write
              allot reweight checkout-button --close green
              allot reweight checkout-button --add blue=10%
              allot reweight checkout-button --traffic 40%
            """)

    @Argument(help: "The experiment's key.")
    var experiment: String

    @Argument(
        help: ArgumentHelp("The new shares, such as control=20%.", valueName: "variant=share"),
        transform: VariantShare.init(argument:))
    var shares: [VariantShare] = []

    @Option(help: ArgumentHelp("Give up this variant; its units are spread over the others.", valueName: "variant"))
    var close: [String] = []

    @Option(
        help: ArgumentHelp("Add this variant, such as blue=10%.", valueName: "variant=share"),
        transform: VariantShare.init(argument:))
    var add: [VariantShare] = []

    @Option(
        help: ArgumentHelp("The new share of eligible units that are enrolled.", valueName: "share"),
        transform: Percentage.buckets(argument:))
    var traffic: Int?

    @Option(
        help: ArgumentHelp("The share of units that no variant gets (default: as it is, or none).", valueName: "share"),
        transform: Percentage.buckets(argument:))
    var unallocated: Int?

    @Flag(help: "Write the file.")
    var write = false

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        let divisions = [!shares.isEmpty, !close.isEmpty, !add.isEmpty].count { $0 }
        if divisions > 1 || close.count > 1 || add.count > 1 {
            throw ValidationError("Give new shares, one --close or one --add: one of them at a time.")
        }
        if divisions == 0, traffic == nil {
            throw ValidationError("Nothing to change: give shares such as control=20%, --close, --add or --traffic.")
        }
        if unallocated != nil, shares.isEmpty { throw ValidationError("--unallocated goes with new shares.") }
    }

    func run() throws {
        let instant = definitions.at ?? .now
        let folder = try definitions.edit(at: instant)
        let old = folder.loaded
        _ = try old.plan.experimentIndices(of: [experiment])
        guard let definition = old.definitions.experiments.first(where: { $0.key == experiment }) else { return }
        var edit = ExperimentEdit()
        edit.traffic = traffic
        if !shares.isEmpty || !close.isEmpty || !add.isEmpty { edit.buckets = try buckets(of: definition) }
        let edited = try Self.edited(folder, experiment, edit)
        let report = DifferenceReport(
            movement: DefinitionsMovement(from: old.definitions, to: edited.loaded.definitions, at: instant),
            users: nil,
            instant: instant)
        var lines = report.textLines + ["", edited.path] + LineDifference(edited.oldBytes, edited.newBytes).lines
        if write {
            try edited.write()
            lines.append("written")
        } else {
            lines.append("not written yet; --write does it")
        }
        try StandardOutput.write(lines)
    }

    private func buckets(of experiment: ExperimentDefinition) throws -> [(variant: String, ranges: [Range<Int>])] {
        let change = ShareChange(experiment)
        let owned =
            if let variant = close.first { try change.closing(variant) } else if let share = add.first {
                try change.adding(share)
            } else {
                try change.reweighted(to: shares, unallocated: unallocated)
            }
        let keys = experiment.variants.map(\.key) + add.map(\.variant)
        return zip(keys, owned).map { ($0, $1.ranges) }
    }

    private static func edited(
        _ folder: EditableDefinitions, _ experiment: String, _ edit: ExperimentEdit
    ) throws -> EditableDefinitions.Edited {
        do {
            return try folder.editing(experiment, edit)
        } catch {
            throw CommandFailure(error.description)
        }
    }
}

extension DefinitionsOptions {
    /// The definitions, to be changed.
    func edit(at instant: Instant) throws -> EditableDefinitions {
        do {
            return try EditableDefinitions(folder: definitions, loader: limits.loader(at: instant))
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension EditableDefinitions.Edited {
    /// Puts the new text in place of the file, all at once.
    fileprivate func write() throws {
        do {
            let output = try AtomicOutput(path: path, option: "--definitions")
            try output.write(newBytes)
            try output.commit()
        } catch {
            throw CommandFailure(error.description)
        }
    }
}
