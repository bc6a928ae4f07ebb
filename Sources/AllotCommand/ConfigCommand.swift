import AllotConfiguration
import ArgumentParser

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print the configuration that one subject gets.",
        usage: "allot config <id> [<name=value> ...] [--pretty] [<options>]",
        discussion: """
            The base configuration with the overrides of every variant that the subject is assigned; meta.assignments \
            lists the variants and the reasons. One line of JSON with sorted keys: equal decisions give equal bytes.

            EXAMPLES
              allot config user-42 country=DE app_version=2.10.1
              allot config user-42 country=DE --as-of 2026-03-03T12:00:00Z
              allot config user-42 --attributes '{"seats": 12, "is_pro": true}' --pretty
            """)

    @OptionGroup var subject: SubjectArguments
    @OptionGroup var definitions: DefinitionsOptions
    @Flag(help: "Indent the JSON for reading.") var pretty = false
    @OptionGroup var output: OutputOption

    func run() throws {
        let (subject, plan, instant, _) = try subject.load(definitions)
        let bytes = plan.configurationBytes(for: subject, at: instant)
        let text = try pretty ? JSONValue(parsing: bytes).prettyText : String(decoding: bytes, as: UTF8.self)
        try output.write([text])
    }
}
