import AllotGenerate
import ArgumentParser

/// `allot generate swift`
struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the settings and experiments as Swift, for AllotClient.",
        discussion: SettingsSource.help)

    @OptionGroup
    var options: GenerateOptions

    @Option(help: "The access level of the types: public, package or internal.")
    var access = SettingsSource.Access.internal

    func run() throws {
        let loaded = try options.folder.load(at: .now)
        try options.finish(
            SettingsSource(
                loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access))
    }
}

extension SettingsSource.Access: ExpressibleByArgument {}
