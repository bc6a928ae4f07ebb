import AllotCore
import AllotReports
import ArgumentParser

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain in plain words why a subject is assigned its variants.",
        usage: "allot explain <id> [<name=value> ...] [<options>]",
        discussion: """
            A sentence for each experiment, then every check in order, with the numbers that were compared. The last \
            check decides.

            EXAMPLES
              allot explain user-42 country=DE app_version=2.10.1
              allot explain user-42 country=DE --experiment buy-button
              allot explain user-42 country=DE --as-of 2026-03-03T12:00:00Z
                  what did this user get on 3 March, and why?
              allot explain user-42 --attributes '{"seats": 12, "tags": ["a"]}'
              allot explain user-42 country=DE --json
            """)

    @OptionGroup var subject: SubjectArguments
    @OptionGroup var definitions: DefinitionsOptions
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @OptionGroup var report: ReportOptions<AllForms>

    func run() throws {
        let (_, plan, _, explanation) = try subject.load(definitions, experiments: experiments)
        _ = try plan.experimentIndices(of: experiments)
        let blocks = explanation.experiments.flatMap(Self.blocks)
        let lead = Report.Block.either(text: Self.lines(explanation.text), page: blocks)
        try report.write(Report("", title: "Why these variants", lead: [lead]), json: explanation.json)
    }

    private static func blocks(_ experiment: Explanation.Experiment) -> [Report.Block] {
        let lines = lines(experiment.text)
        return [.text(lines[0]), .code(lines.dropFirst().map { String($0.dropFirst(4)) })]
    }

    private static func lines(_ text: String) -> [String] {
        text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
