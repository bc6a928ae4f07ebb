import AllotGenerate
import ArgumentParser

struct GenerateOpenFeatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openfeature",
        abstract: "Write the settings as OpenFeature's flag manifest, for accessors in other languages.",
        usage: "allot generate openfeature [-o <file> | --check <file>] [<options>]",
        discussion: help)

    @OptionGroup
    var options: GenerateOptions

    func run() throws { try options.finish(FlagManifest(options.folder.load(at: .now).settings), by: "openfeature") }

    private static let help = """
        The manifest has one flag for each setting of the base: its key is Section.Setting, as allot-server's \
        OpenFeature routes name it, its default is the base value. OpenFeature's own command line generates typed \
        accessors in many languages from it:

          openfeature generate react --manifest flags.json

        A setting that a flag cannot represent is left out with a note that says what to do: null (there is no \
        default), lists, and integers beyond 9007199254740992, which many readers of JSON round.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 2 if the file differs from the manifest that would be generated.

        EXAMPLES
          allot generate openfeature --output flags.json
          allot generate openfeature --check flags.json
        """
}
