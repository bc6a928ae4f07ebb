import AllotConfiguration
import AllotFiles
import ArgumentParser

/// The command line before it is parsed.
enum CommandLineText {
    /// The options that stand without a command.
    private static let ownOptions = [
        "-h", "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
        // The generated scripts call it with the words typed so far.
        "---completion",
    ]

    /// The command that the words call. Throws if they call none, and for options before them.
    static func command(calledBy arguments: [String]) throws -> any ParsableCommand.Type {
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        var command: any ParsableCommand.Type = AllotCommand.self
        var path = ""
        while let name = words.popFirst(), !name.hasPrefix("-"), name != "help" {
            let commands = command.configuration.subcommands
            if commands.isEmpty { break }
            guard let next = commands.first(where: { $0.configuration.commandName == name }) else {
                let names = (commands.compactMap { $0.configuration.commandName } + (path.isEmpty ? ["help"] : []))
                    .map { path + $0 }
                let near = name == "version" ? "--version" : NearestName.hint(for: path + name, among: names)
                let hint = near.map { "did you mean \($0)?" } ?? "the commands are \(names.joined(separator: ", "))."
                throw ValidationError("There is no command \(QuotedText(path + name)); \(hint)")
            }
            command = next
            path += name + " "
        }
        guard path.isEmpty, let first = arguments.first, first.hasPrefix("-"),
            !ownOptions.contains(String(first.prefix { $0 != "=" }))
        else { return command }
        if first == "-v" || first == "-V" {
            throw ValidationError("There is no option \(QuotedText(first)); did you mean --version?")
        }
        let names = AllotCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let place = arguments.firstIndex(where: { names.contains($0) }) else { return command }
        let others = arguments[..<place] + arguments[(place + 1)...]
        let call = ["allot", arguments[place]] + others.map(\.shellWord)
        throw ValidationError("Options come after the command; write \(call.joined(separator: " "))")
    }

    /// A message of the parser, in which an unknown option is one of other commands, or a folder one of definitions.
    static func explained(_ message: String) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let option = lines[0].firstMatch(of: /^Error: Unknown option '(--[a-z-]+)'/)?.1 {
            let commands = calls(having: String(option), of: AllotCommand.self)
            guard !commands.isEmpty else { return message }
            let verb = commands.count == 1 ? "has" : "have"
            lines[0] = "Error: This command has no option '\(option)'; \(commands.listed(atMost: 8)) \(verb) it"
        } else if let folder = lines[0].firstMatch(of: /^Error: Unexpected argument '(.+)'$/)?.1,
            OpenFolder.exists(String(folder))
        {
            lines[0] += "; for a folder of definitions write --definitions \(String(folder).shellWord)"
        }
        return lines.joined(separator: "\n")
    }

    /// The words that call the commands which have an option.
    private static func calls(having option: String, of command: any ParsableCommand.Type) -> [String] {
        let commands = command.configuration.subcommands
        guard commands.isEmpty else { return commands.flatMap { calls(having: option, of: $0) } }
        let options = (try? CommandOption.all(of: command)) ?? []
        return options.contains { $0.names.contains(option) } ? [UsageFailure.path(of: command)] : []
    }

    private static let longNames = ["-o": "--output", "-d": "--definitions"]

    /// Throws for an option of one value that is given more than once: the parser would take the last one.
    static func checkRepetition(_ arguments: [String], of command: any ParsableCommand.Type) throws {
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
            let name = argument.prefix { $0 != "=" }
            let option = longNames[String(name)] ?? String(name)
            if !seen.insert(option).inserted,
                try CommandOption.all(of: command).contains(where: { $0.isSingle && $0.names.contains(option) })
            {
                throw UsageFailure("\(option) is given more than once; give it once.")
            }
        }
    }

    static func asksForJSON(_ arguments: some Sequence<String>) -> Bool {
        let words = Array(arguments.prefix { $0 != "--" })
        return words.contains { $0 == "--json" || $0 == "--format=json" }
            || zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }
}

/// An option or a flag of a command, as the parser describes it.
struct CommandOption: Hashable {
    let names: [String]
    let valueName: String?
    let help: String
    let isSingle: Bool

    static func all(of command: any ParsableCommand.Type) throws -> [CommandOption] {
        let command = try JSONValue(parsing: Array(command._dumpHelp().utf8)).asObject?["command"]?.asObject
        return (command?["arguments"]?.asArray ?? []).compactMap { $0.asObject.flatMap(CommandOption.init) }
    }

    private init?(_ argument: JSONObject) {
        func text(_ object: JSONObject?, _ name: String) -> String? {
            if case .string(let text)? = object?[name] { text } else { nil }
        }
        guard let kind = text(argument, "kind"), kind != "positional", let names = argument["names"]?.asArray
        else { return nil }
        self.names = names.map(\.asObject).compactMap { name in
            text(name, "name").map { (text(name, "kind") == "long" ? "--" : "-") + $0 }
        }
        valueName = kind == "flag" ? nil : text(argument, "valueName")
        help = text(argument, "abstract") ?? ""
        isSingle = kind == "option" && argument["isRepeating"] == false
    }
}
