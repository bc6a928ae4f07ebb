import AllotBatch
import AllotCatalog
import AllotConfiguration
import AllotFiles
import AllotGit
import ArgumentParser

/// `allot catalog`
struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "Write pages that show what is defined, for people.",
        discussion: CatalogSite.help)

    @Option(name: .shortAndLong, help: .value("folder", "The folder of the pages."), completion: .directory)
    var output: String

    @Option(help: .value("store", "Count the exposures of an SQLite file, or postgresql://..."), completion: .file())
    var exposures: String?

    @Flag(help: "Leave out the history of the definitions.")
    var noHistory = false

    @OptionGroup
    var definitions: DefinitionsOptions

    func validate() throws {
        if output == "-" { throw ValidationError("A catalogue is a folder of files; name one with --output.") }
    }

    func run() throws {
        let instant = definitions.at ?? .now
        let loaded = try definitions.folder.load(at: instant)
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
