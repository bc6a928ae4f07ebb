import AllotGenerate
import ArgumentParser

/// `allot generate openfeature`
struct GenerateOpenFeatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openfeature",
        abstract: "Write the settings as OpenFeature's flag manifest, for accessors in other languages.",
        discussion: FlagManifest.help)

    @OptionGroup
    var options: GenerateOptions

    func run() throws {
        try options.finish(FlagManifest(options.folder.load(at: .now).settings))
    }
}
