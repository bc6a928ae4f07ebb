import AllotBatch
import AllotConfiguration
import AllotFiles
import AllotGit
import AllotPages
import ArgumentParser

struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Write pages that show what is defined, for people.",
        usage: "allot catalog -o <folder> [--exposures <store>] [<options>]",
        discussion: """
            Writes the pages that allot-server shows as files, with links of their own: index.html with all \
            experiments by layer, by-status.html, by-owner.html and by-letter.html, a page for each experiment, layer \
            and holdout, settings.html, style.css and favicon.svg. No page loads or runs anything else.

            If the definitions are in a Git repository, each experiment's page has its history, as allot history tells \
            it; the repository needs its commits (fetch-depth: 0). With --exposures the pages count units and test \
            ratios.

            A run replaces the folder of an earlier one as a whole. A folder that has other files is never touched. \
            The same definitions with the same --at give the same bytes.

            EXAMPLES
              allot catalog -o site
              allot catalog -o site --definitions main:Experiments
              allot catalog -o site --exposures allot.sqlite
            """)

    @Option(name: .shortAndLong, help: .value("folder", "The folder of the pages."), completion: .directory)
    var output: String
    @Option(help: .value("store", "Count the exposures of an SQLite file, or postgresql://..."), completion: .file())
    var exposures: String?
    @Flag(help: "Leave out the history of the definitions.") var noHistory = false
    @OptionGroup var definitions: DefinitionsOptions

    func validate() throws {
        if output == "-" { throw ValidationError("A catalogue is a folder of files; name one with --output.") }
    }

    func run() throws {
        let instant = definitions.instant
        let loaded = try definitions.loaded(at: instant)
        let catalog = Catalog(loaded.plan, warnings: loaded.warnings, at: instant)
        let counts = try exposures.map { location in
            try Waiting.result {
                try await StoreArgument.withStore(location) { try await CatalogSite.Counts($0, of: catalog) }
            }
        }
        var site = CatalogSite(catalog, counts: counts)
        if !noHistory {
            let place = try DefinitionsPlace(definitions.folder.definitions)
            let note = try site.addHistory(from: place, limits: definitions.folder.limits)
            if let note { StandardError.write("allot: note: \(note)") }
        }
        let count = try site.write(to: output)
        StandardError.write("allot: \(counted(count, "file")) in \(output)")
    }
}
