import AllotConfiguration
import AllotExposures
import AllotFiles
import ArgumentParser

/// `allot exposures purge`
struct ExposurePurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete exposures that are older than an instant.",
        usage: "allot exposures purge <store> --before <instant>",
        discussion: "allot-server does so by itself with --exposure-retention.")

    @OptionGroup
    var store: StoreArgument

    @Option(
        help: .value("instant", "Delete the exposures before this instant, such as 2026-01-01T00:00:00Z."),
        transform: Instant.init(argument:))
    var before: Instant?

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        guard let before else { throw UsageFailure("Missing expected argument '--before <instant>'") }
        let count = try store.use { try await $0.purge(before: before.milliseconds) }
        let object: JSONValue = ["before": .string(before.description), "deleted": .int(count)]
        try StandardOutput.write([
            json ? object.prettyText : "\(counted(count, "exposure")) before \(before) deleted"
        ])
    }
}

/// `allot exposures erase`
struct ExposureEraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Delete all exposures of one unit.",
        discussion: """
            No row of the unit is left, and in an SQLite store no bytes of it in the files. What backups, replicas and \
            exports have is not touched. An app that has not sent all its exposures may send more.
            """)

    @OptionGroup
    var store: StoreArgument

    @Argument(help: "The unit's ID.")
    var unit: String

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let unit = unit
        let count = try store.use { try await $0.erase(unit: unit) }
        let object: JSONValue = ["unit": .string(unit), "deleted": .int(count)]
        try StandardOutput.write([
            json ? object.prettyText : "\(counted(count, "exposure")) of \(QuotedText(unit)) deleted"
        ])
    }
}
