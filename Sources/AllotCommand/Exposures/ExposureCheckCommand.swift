import AllotExposures
import AllotFiles
import ArgumentParser

struct ExposureCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for damage in an SQLite store.",
        discussion: """
            SQLite reads the whole file (PRAGMA quick_check). Its findings are printed, and the exit status is 1 if \
            there are any: restore the store from a copy. Another value in a sound row is not found. PostgreSQL has \
            pg_amcheck.
            """)

    @OptionGroup
    var store: StoreArgument

    func run() throws {
        let problems = try store.use { try await $0.problems() }
        guard !problems.isEmpty else { return try StandardOutput.write(["\(store.store): no damage found"]) }
        try StandardOutput.write(problems)
        throw CommandFailure("\(store.store) is damaged; restore it from a copy")
    }
}
