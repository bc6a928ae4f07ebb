import Allot
import AllotAnalysis
import AllotConfiguration
import AllotDefinitions
import AllotFiles
import ArgumentParser

/// `allot reweight`
struct ReweightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reweight",
        abstract: "Change the shares of an experiment with the least possible movement.",
        usage: "allot reweight <experiment> [<variant>=<share> ...] [<options>]",
        discussion: """
            Writes explicit buckets into the definition, so that only those units move that have to: as many as the \
            shares differ, and none between variants that both keep or grow. Comments and layout of the file stay. \
            Variants that are not named keep their share; --close spreads the units of a variant over the others, \
            --add takes those of a new one from the others in proportion. First prints what allot diff says of the \
            change; nothing is written without --write.

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
        guard let before = old.plan.experiments.first(where: { $0.key == experiment }) else { return }
        var edit = ExperimentEdit()
        edit.traffic = traffic
        if !shares.isEmpty || !close.isEmpty || !add.isEmpty { edit.buckets = try buckets(of: before) }
        let edited = try folder.editing(experiment, edit)
        let report = ReassignmentReport(from: old.plan, to: edited.loaded.plan, at: instant)
        var lines = report.lines + ["", edited.path] + LineDifference(edited.oldBytes, edited.newBytes).lines
        if write {
            try edited.write()
            lines.append("written")
        } else {
            lines.append("not written yet; --write does it")
        }
        try StandardOutput.write(lines)
    }

    private func buckets(of experiment: Plan.Experiment) throws -> [(variant: String, ranges: [Range<Int>])] {
        let change = ShareChange(of: experiment)
        let owned =
            if let variant = close.first { try change.closing(variant) } else if let share = add.first {
                try change.adding(share)
            } else { try change.reweighted(to: shares, unallocated: unallocated) }
        let keys = experiment.variants.map(\.key) + add.map(\.variant)
        return zip(keys, owned).map { ($0, $1) }
    }
}

extension DefinitionsOptions {
    /// The definitions, to be edited.
    func edit(at instant: Instant) throws -> EditableDefinitions {
        try EditableDefinitions(folder: definitions, loader: limits.loader(at: instant))
    }
}

extension EditableDefinitions.Edited {
    /// Replaces the file by the new text, all at once.
    fileprivate func write() throws {
        let output = try AtomicOutput(path: path, option: "--definitions")
        try output.write(newBytes)
        try output.commit()
    }
}
