import AllotAnalysis
import AllotConfiguration
import AllotCore
import ArgumentParser

struct SlotsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "Show which experiments hold which slots of a layer, and where a new one fits.",
        usage: "allot slots <layer> [--place <share>] [--ends <instant>] [<options>]",
        discussion: """
            Slots are free when no experiment holds them that is running, a draft or paused in the time of the new one \
            (--starts, by default now, to --ends, by default never). Concluded experiments hold none. The exit status \
            is 2 if a new one does not fit.

            EXAMPLES
              allot slots checkout
              allot slots checkout --place 20%
              allot slots checkout --place 20% --ends 2027-02-01T00:00:00Z
            """)

    @Argument(help: "The layer's name.", completion: .names(of: .layers)) var layer: String
    @Option(
        help: .value("share", "Find slots for a new experiment of this share."),
        transform: Percentage.buckets(argument:))
    var place: Int?
    @Option(help: .value("instant", "When the new experiment starts."), transform: Instant.init(argument:))
    var starts: Instant?
    @Option(help: .value("instant", "When the new experiment ends."), transform: Instant.init(argument:))
    var ends: Instant?
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var definitions: DefinitionsOptions

    func validate() throws {
        if place == 0 { throw ValidationError("--place takes a share above 0%.") }
    }

    func run() throws {
        let instant = definitions.instant
        if let ends, ends <= starts ?? instant {
            let options = [("--starts", starts), ("--at", definitions.at), ("--as-of", definitions.asOf)]
            throw UsageFailure("--ends is not after \(options.first { $0.1 != nil }?.0 ?? "now").")
        }
        let plan = try definitions.loaded(at: instant).plan
        let slots = try SlotsReport(layer: layer, of: plan, at: starts ?? instant, until: ends, place: place)
        try report.write(slots.report, json: slots.json)
        if let misfit = slots.misfit { throw CommandFailure(misfit).finding() }
    }
}
