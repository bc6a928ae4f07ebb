import AllotConfiguration
import ArgumentParser
import TestSupport
import Testing

@testable import AllotCommand

/// One name has one meaning in all commands, and one meaning has one name.
@Suite(.blocks) struct OptionVocabularyTests {
    /// An option with the command that has it.
    private struct Use {
        let command: String
        let option: CommandOption
    }

    private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let below = command.configuration.subcommands
        return below.isEmpty ? [command] : below.flatMap { commands(below: $0) }
    }

    private static func uses() throws -> [Use] {
        try commands(below: AllotCommand.self).flatMap { command in
            try CommandOption.all(of: command).map { Use(command: UsageFailure.path(of: command), option: $0) }
        }
    }

    /// Names with several meanings, each with the reason.
    private static let severalMeanings = [
        "--all": "what a command leaves out by itself: rows without a variant, or exposures that are not chosen",
        "--output": "catalog and import write folders",
        "--before": "an instant of a purge, and the column of the time before an experiment",
        "--experiment": "an export of exposures has one cursor, and so one experiment",
        "--exposures": "a catalog counts those of a store, and a holdout reads their export",
        "--metric": "a plan has several metrics, and a test one outcome",
        "--ratio": "a plan has several metrics, and a test one outcome",
        "--salt": "an export of exposures has one cursor, and so one salt",
    ]

    @Test("An option means the same in all commands")
    func oneMeaning() throws {
        var found: Set<String> = []
        for (name, uses) in Dictionary(grouping: try Self.uses(), by: \.option.name) {
            let meanings = Dictionary(grouping: uses) { "\($0.option.valueName ?? "flag"): \($0.option.help)" }
            guard meanings.count > 1 else { continue }
            found.insert(name)
            let places = meanings.map { "\($0.key) in \($0.value.map(\.command))" }
            #expect(Self.severalMeanings[name] != nil, "\(name) means \(places)")
        }
        #expect(found == Set(Self.severalMeanings.keys))
    }

    @Test("A meaning has one name, and a short name stands for one long one")
    func oneName() throws {
        let uses = try Self.uses()
        for (help, uses) in Dictionary(grouping: uses, by: \.option.help) {
            let names = Set(uses.map(\.option.name))
            #expect(names.count == 1, "\(names.sorted()) mean: \(help)")
        }
        let short = uses.filter { $0.option.names.count > 1 }
        for (name, uses) in Dictionary(grouping: short, by: { $0.option.names.min { $0.count < $1.count } }) {
            #expect(Set(uses.map(\.option.name)).count == 1, "\(name ?? "")")
        }
    }

    @Test("Former names are gone", arguments: ["--markdown", "--html", "--junit", "--json-output", "--threshold"])
    func formerNames(name: String) throws {
        #expect(try Self.uses().allSatisfy { !$0.option.names.contains(name) })
    }

    @Test("Every command that reports has its forms, and every command on definitions the folder")
    func sharedOptions() throws {
        for (command, uses) in Dictionary(grouping: try Self.uses(), by: \.command) {
            let names = Set(uses.flatMap(\.option.names))
            #expect(
                names.isDisjoint(with: ["--json"]) || names.isSuperset(of: ["--format", "-o", "--output"]), "\(command)"
            )
            #expect(
                names.isDisjoint(with: ["--definitions"]) || names.isSuperset(of: ["-d", "--max-settings"]),
                "\(command)")
        }
    }

    @Test(
        "No line of a command's help has more than 80 columns",
        arguments: HelpExampleTests.calls(of: AllotCommand.self))
    func width(words: [String]) {
        let lines = Program.answer(words + ["--help"]).text.split(separator: "\n")
        #expect(lines.filter { $0.count > 80 } == [])
    }

    @Test("Commands are grouped in the help, which states the exit statuses")
    func groups() {
        let help = Program.answer(["--help"]).text
        for name in ["DEFINE", "ASSIGN", "PLAN", "PROVE", "CHANGE", "MOVE IN", "SIGN"] {
            #expect(help.contains("\n\(name) SUBCOMMANDS:\n"), "\(name)")
        }
        #expect(help.contains("EXIT STATUS"))
    }

    @Test("With JSON a failure is JSON too")
    func failures() throws {
        let workspace = try Workspace.withButton("status: runing\nvariants: [{ key: a }]\n")
        for command in [
            ["list"], ["show", "button"], ["slots", "checkout"], ["explain", "u"],
            ["diff", "Experiments", "Experiments"],
            ["exposures", "counts", "none.sqlite"], ["list", "--frobnicate"],
        ] {
            let takesInstant = command[0] != "exposures"
            for form in [["--json"], ["--format", "json"]] {
                let words = command + form
                let outcome = try takesInstant ? workspace.run(words) : Program.run(words, in: workspace.url)
                let json = try JSONValue(parsing: outcome.output)
                #expect(json["error"]?.text?.isEmpty == false, "\(words)")
                #expect(outcome.status == (command.contains("--frobnicate") ? 64 : 1), "\(words)")
                #expect(!outcome.errors.isEmpty)
                if command == ["list"] { #expect(json["problems"]?[0]?["line"] == 1) }
            }
        }
        // The message for people says more than the parser.
        let outcome = try workspace.run("config", "u", "--json")
        let message = try JSONValue(parsing: outcome.output)["error"]?.text
        #expect(outcome.errorLines.first == message.map { "Error: \($0)" })
        #expect(message?.hasPrefix("This command has no option '--json'; ") == true)
    }
}

extension CommandOption {
    /// The long name.
    fileprivate var name: String { names.max { $0.count < $1.count } ?? "" }
}
