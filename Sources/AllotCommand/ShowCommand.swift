import AllotAnalysis
import AllotConfiguration
import AllotPages
import ArgumentParser

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Describe experiments in full.",
        usage: "allot show <keys> ... [--who] [--at <instant>] [<options>]",
        discussion: """
            EXAMPLES
              allot show buy-button
              allot show buy-button --json
              allot show buy-button --who --at 2026-12-01T08:00:00Z
              allot show buy-button --definitions main:Experiments
            """)

    @Argument(help: "The experiments' keys.", completion: .names(of: .experiments))
    var keys: [String]

    @OptionGroup
    var report: ReportOptions<PlainForms>

    @Flag(help: "Add which units can be in, from the instant on: conditions in words, and exact shares.")
    var who = false

    @OptionGroup
    var definitions: DefinitionsOptions

    func run() throws {
        let (plan, instant) = try definitions.load()
        let entries = try Catalog(plan, at: instant).experiments(keys)
        let described = entries.map { entry in
            let enrolment = who ? EnrolmentReport(entry.key, of: plan, at: instant) : nil
            var object = entry.json
            if let enrolment { object = object.merging(["who": enrolment.json]) }
            return (lines: entry.lines + (enrolment?.lines ?? []), json: object)
        }
        let text = described.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        try report.write([text], json: .array(described.map(\.json)), of: definitions.folder)
    }
}
