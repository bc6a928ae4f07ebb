import ArgumentParser

/// `allot generate`
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate source for an app from the definitions.",
        subcommands: [GenerateSwiftCommand.self])
}
