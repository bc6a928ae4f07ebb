import ArgumentParser

/// `allot keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make keys that configurations are signed with.",
        subcommands: [KeysGenerateCommand.self])
}
