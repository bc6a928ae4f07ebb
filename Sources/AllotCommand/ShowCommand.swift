import AllotConfiguration
import AllotFiles
import AllotPages
import ArgumentParser

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Describe experiments in full.",
        discussion: """
            EXAMPLES
              allot show buy-button
              allot show buy-button --json
              allot show buy-button --definitions main:Experiments
            """)

    @Argument(help: "The experiments' keys.")
    var keys: [String]

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @OptionGroup
    var definitions: DefinitionsOptions

    func run() throws {
        let (plan, instant) = try definitions.load()
        let entries = try Catalog(plan, at: instant).experiments(keys)
        let text = entries.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n")
        try StandardOutput.write([json ? JSONValue.array(entries.map(\.json)).prettyText : text])
    }
}
