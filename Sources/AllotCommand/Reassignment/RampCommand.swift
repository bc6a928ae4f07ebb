import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import ArgumentParser

struct RampCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ramp", abstract: "Raise the traffic of an experiment in steps, each at an instant of its own.",
        usage: "allot ramp <experiment> <share> ... --from <instant> --every <time>",
        discussion: """
            Writes traffic steps into the definition: the first share from --from on, and the next after each \
            --every. Units that are enrolled stay in their variants, and steps that have begun stay as they are. \
            Comments and layout of the file stay. First prints who enters when; nothing is written without --write.

            EXAMPLES
              allot ramp free-shipping-bar 50% 100% --from 2026-12-01T09:00Z --every 2d
              allot ramp free-shipping-bar 50% --from 2026-12-01T09:00Z --every 2d --write
            """)

    @Argument(help: "The experiment's key.", completion: .names(of: .experiments)) var experiment: String
    @Argument(
        help: .value("share", "The shares of eligible units, in ascending order."),
        transform: Percentage.buckets(argument:))
    var shares: [Int]
    @Option(
        help: .value("instant", "When the first share begins to apply, such as 2026-12-01T09:00:00Z."),
        transform: Instant.init(argument:))
    var from: Instant
    @Option(help: .every, transform: TimeSpan.init(argument:)) var every: TimeSpan
    @OptionGroup var edit: EditOptions

    func run() throws {
        try edit.run(experiment) { experiment, instant in
            var edit = ExperimentEdit()
            edit.traffic = try TrafficRamp(shares, from: from, every: every, of: experiment, at: instant).traffic
            return edit
        } notes: { _, plan, index, instant in
            let report = RampReport(plan, experiment: index, after: instant)
            return (report.blocks, ["steps": report.json])
        }
    }
}
