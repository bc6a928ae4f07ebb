import AllotAnalysis
import AllotConfiguration
import AllotPages
import AllotReports
import ArgumentParser

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Describe experiments in full.",
        usage: "allot show <keys> ... [--who] [--at <instant>] [<options>]",
        discussion: """
            EXAMPLES
              allot show buy-button
              allot show buy-button --json
              allot show buy-button --who --at 2026-12-01T08:00:00Z
              allot show buy-button --definitions main:Experiments
            """)

    @Argument(help: "The experiments' keys.", completion: .names(of: .experiments)) var keys: [String]
    @OptionGroup var report: ReportOptions<AllForms>
    @Flag(help: "Add which units can be in, from the instant on: conditions in words, and exact shares.")
    var who = false
    @OptionGroup var definitions: DefinitionsOptions

    func run() throws {
        let (plan, instant) = try definitions.load()
        let entries = try Catalog(plan, at: instant).experiments(keys)
        let described = entries.map { entry in
            var (section, json) = (entry.section, entry.json)
            if who, let enrolment = EnrolmentReport(entry.key, of: plan, at: instant) {
                section.blocks += enrolment.blocks
                json = json.merging(["who": enrolment.json])
            }
            return (section: section, json: json)
        }
        let shown = Report(
            "", title: entries.map(\.key).joined(separator: ", "), described.map { .section($0.section) })
        try report.write(shown, json: .array(described.map(\.json)))
    }
}
