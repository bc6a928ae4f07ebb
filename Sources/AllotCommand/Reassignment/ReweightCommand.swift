import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotReports
import ArgumentParser

struct ReweightCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reweight", abstract: "Change the shares of an experiment with the fewest reassignments.",
        usage: "allot reweight <experiment> [--shares <shares>] [<options>]",
        discussion: """
            Writes explicit buckets into the definition, so that only those units move that have to: as many as the \
            shares differ, and none between variants that both keep or grow. Comments and layout of the file stay. \
            Variants that are not named keep their share; weights divide what these leave, and shares without names \
            are those of all variants in their order. --close spreads the units of a variant over the others, \
            --add takes those of a new one from the others in proportion. First prints what allot diff says of the \
            change, and exits with 2 if enrolled units would move; nothing is written without --write.

            EXAMPLES
              allot reweight buy-button --shares control=20%,green=30%,large-green=50%
              allot reweight buy-button --close green
              allot reweight buy-button --close green --write
              allot reweight buy-button --add blue=10%
              allot reweight buy-button --traffic 40%
            """)

    @Argument(help: "The experiment's key.", completion: .names(of: .experiments)) var experiment: String
    @Option(help: .shares, completion: .names(of: .shares), transform: { try WrittenShares($0) })
    var shares: WrittenShares?
    @Option(
        help: .value("variant", "Give up this variant; its units are spread over the others."),
        completion: .names(of: .variants))
    var close: [String] = []
    @Option(
        help: .value("variant=share", "Add this variant, such as blue=10%."), transform: VariantShare.init(argument:))
    var add: [VariantShare] = []
    @Option(help: .traffic, transform: Percentage.buckets(argument:)) var traffic: Int?
    @Option(
        help: .value("share", "The share of units that no variant gets (default: as it is, or none)."),
        transform: Percentage.buckets(argument:))
    var unallocated: Int?
    @OptionGroup var edit: EditOptions

    func validate() throws {
        let divisions = [shares != nil, !close.isEmpty, !add.isEmpty].count { $0 }
        if divisions > 1 || close.count > 1 || add.count > 1 {
            throw ValidationError("Give --shares, one --close or one --add: one of them at a time.")
        }
        if divisions == 0, traffic == nil {
            throw ValidationError("No change is given: give --shares control=20%, --close, --add or --traffic.")
        }
        if unallocated != nil, shares == nil { throw ValidationError("--unallocated goes with --shares.") }
    }

    func run() throws {
        let isNewDivision = shares != nil || !close.isEmpty || !add.isEmpty
        try edit.run(experiment) { experiment, _ in
            var edit = ExperimentEdit()
            if traffic != nil { try experiment.checkTakesTraffic() }
            edit.traffic = traffic.map(Traffic.constant)
            if isNewDivision { edit.buckets = try buckets(of: experiment) }
            return edit
        } notes: { old, plan, index, _ in
            let lines = traffic != nil && !old.traffic.steps.isEmpty ? [TrafficRamp.replacement] : []
            let isChanged = isNewDivision && plan.experiments[index].revision != old.revision
            let advice = isChanged ? [ShareChange.advice] : []
            return (lines.map(Report.Block.text), ["notes": .strings(advice + lines)])
        }
    }

    private func buckets(of experiment: Plan.Experiment) throws -> [(variant: String, ranges: [Range<Int>])] {
        let change = try ShareChange(of: experiment)
        let owned =
            try shares.map { shares in try change.reweighted(to: shares, unallocated: unallocated) }
            ?? add.first.map(change.adding) ?? change.closing(close[0])
        let keys = experiment.variants.map(\.key) + add.map(\.variant)
        return zip(keys, owned).map { ($0, $1) }
    }
}

extension VariantShare {
    init(argument: String) throws {
        guard let (variant, share) = argument.namedValue
        else { throw ValidationError("\(QuotedText(argument)) is not a share of a variant; write it like control=20%") }
        self.init(variant, buckets: try Percentage.buckets(argument: share))
    }
}
