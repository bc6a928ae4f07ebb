import AllotConfiguration
import ArgumentParser

/// The command line before it is parsed.
enum CommandLineText {
    /// Throws for a command line that the parser would change silently or reject without an explanation.
    static func check() throws {
        // Swift would repair the text, and another unit would be assigned.
        for (index, argument) in CommandLine.arguments.enumerated() {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw ValidationError(
                "Argument \(index), \(QuotedText(argument)), is not UTF-8; unit IDs and attributes are UTF-8 text, so "
                    + "convert it, for example with iconv.")
        }
        let known = AllotCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"), !known.contains(name) else {
            return
        }
        let hint = NearestName.hint(for: name, among: known).map { "did you mean \($0)?" }
        throw ValidationError(
            "There is no command \(QuotedText(name)); \(hint ?? "the commands are \(known.joined(separator: ", ")).")")
    }

    /// The arguments with an empty value of an option, `--unit-column=`, as an argument of its own: ArgumentParser
    /// takes it for a missing one.
    private static func withEmptyValues(_ given: some Sequence<String>) -> [String] {
        var isOption = true
        return given.flatMap { argument in
            isOption = isOption && argument != "--"
            let isEmpty = argument.firstIndex(of: "=") == argument.indices.last
            let hasEmptyValue = isOption && isEmpty && argument.hasPrefix("--")
            return hasEmptyValue ? [String(argument.dropLast()), ""] : [argument]
        }
    }

    /// The arguments with `--json-output` in place of those `--json` of `explain` that are not followed by JSON.
    ///
    /// With an object, `--json` gives typed attributes; alone, it asks for JSON as output. ArgumentParser cannot
    /// declare that: its options with an optional value take any word that follows, such as the unit ID.
    static func arguments(_ given: some Sequence<String>) -> [String] {
        var arguments = withEmptyValues(given)
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
