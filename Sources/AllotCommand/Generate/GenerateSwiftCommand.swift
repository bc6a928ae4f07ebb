import AllotGenerate
import ArgumentParser

struct GenerateSwiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Write the settings and experiments as Swift, for AllotClient.",
        usage: "allot generate swift [-o <file> | --check <file>] [<options>]",
        discussion: help)

    @OptionGroup
    var options: GenerateOptions

    @Option(help: .access)
    var access = SettingsSource.Access.internal

    func run() throws {
        let loaded = try options.folder.load(at: .now)
        try options.finish(
            SettingsSource(
                loaded.definitions, settings: loaded.settings, revision: loaded.plan.revision, access: access),
            by: "swift", access == .internal ? [] : ["--access", access.rawValue])
    }

    private static let help = """
        The source has one type for each section of the base, with a typed property for each setting: its default \
        is the base value, its constraints are those of the base. A setting with an enum of texts or whole numbers \
        has a Swift enum, one with a format has its type: Date, GeoPoint, Data or ConfigurationFile. It also has \
        the keys and variants of the experiments as constants, so that a tester can choose a variant on a device. \
        If a setting is renamed or removed, the app no longer compiles.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 2 if the file differs from the source that would be generated. A different revision alone does \
        not count, since experiments change more often than the part of them that an app can see.

        EXAMPLES
          allot generate swift --output Sources/App/ShopSettings.swift
          allot generate swift --check Sources/App/ShopSettings.swift
          allot generate swift --definitions Experiments --access public
        """
}

extension SettingsSource.Access: ExpressibleByArgument {}

extension ArgumentHelp {
    static var access: ArgumentHelp { "The access level in Swift: public, package or internal." }
}
