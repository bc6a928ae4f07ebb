import AllotCatalog
import AllotConfiguration
import AllotFiles
import ArgumentParser

/// `allot show`
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything that is defined of experiments, in words.",
        discussion: """
            EXAMPLES
              allot show checkout-button
              allot show checkout-button --json
              allot show checkout-button --definitions main:Experiments
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
