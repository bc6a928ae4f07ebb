import AllotConfiguration
import AllotFiles
import ArgumentParser
import CommandLineProgram

/// The command line before it is parsed.
enum CommandLineText {
    /// Throws for a command line that the parser would change silently or reject without an explanation.
    static func check() throws {
        try CommandLineArguments.check()
        try checkCall(Array(CommandLine.arguments.dropFirst()))
    }

    /// The options that stand without a command.
    private static let ownOptions = [
        "-h", "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help",
        // The generated scripts call it with the words typed so far.
        "---completion",
    ]

    /// Throws for words that do not call a command, and for options before them.
    static func checkCall(_ arguments: [String]) throws {
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        var command: any ParsableCommand.Type = AllotCommand.self
        var path = ""
        while let name = words.popFirst(), !name.hasPrefix("-"), name != "help" {
            let commands = command.configuration.subcommands
            if commands.isEmpty { return }
            guard let next = commands.first(where: { $0.configuration.commandName == name }) else {
                let names = commands.compactMap { $0.configuration.commandName } + (path.isEmpty ? ["help"] : [])
                throw unknownCommand(path + name, near: name == "version" ? "--version" : nil, names.map { path + $0 })
            }
            command = next
            path += name + " "
        }
        guard path.isEmpty, let first = arguments.first, first.hasPrefix("-"), !isOwn(first) else { return }
        if first == "-v" || first == "-V" {
            throw ValidationError("There is no option \(QuotedText(first)); did you mean --version?")
        }
        let names = AllotCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let place = arguments.firstIndex(where: { names.contains($0) }) else { return }
        let others = arguments[..<place] + arguments[(place + 1)...]
        let call = ["allot", arguments[place]] + others.map(\.shellWord)
        throw ValidationError("Options come after the command; write \(call.joined(separator: " "))")
    }

    private static func isOwn(_ option: String) -> Bool {
        ownOptions.contains(option) || ownOptions.contains { option.hasPrefix($0 + "=") }
    }

    private static func unknownCommand(_ name: String, near: String?, _ names: [String]) -> ValidationError {
        let hint = (near ?? NearestName.hint(for: name, among: names)).map { "did you mean \($0)?" }
        return ValidationError(
            "There is no command \(QuotedText(name)); \(hint ?? "the commands are \(names.joined(separator: ", ")).")")
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
        let listed = AllotCommand.helpMessage(for: command, columns: 200).split(separator: "\n").contains { line in
            let names = line.drop { $0 == " " }
            return names.hasPrefix("-") && names.split { $0 == " " || $0 == "," || $0 == "/" }.contains { $0 == option }
        }
        return listed ? [UsageFailure.path(of: command)] : []
    }

    /// The arguments with `--json-output` in place of those `--json` of `explain` that are not followed by JSON.
    ///
    /// With an object, `--json` gives typed attributes; alone, it asks for JSON as output. ArgumentParser cannot
    /// declare that: its options with an optional value take any word that follows, such as the unit ID.
    static func arguments(_ given: some Sequence<String>) -> [String] {
        var arguments = CommandLineArguments.withEmptyValues(given)
        guard arguments.first == "explain" else { return arguments }
        // After "--" nothing is an option.
        let options = arguments.indices.prefix { arguments[$0] != "--" }
        for index in options where arguments[index] == "--json" {
            let next = index + 1 < arguments.count ? arguments[index + 1].drop(while: \.isWhitespace) : ""
            if !next.hasPrefix("{") && !next.hasPrefix("[") { arguments[index] = "--json-output" }
        }
        return arguments
    }
}
