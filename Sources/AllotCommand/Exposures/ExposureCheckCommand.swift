import AllotExposures
import ArgumentParser

struct ExposureCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look for damage in an SQLite store.",
        usage: "allot exposures check <store> [<options>]",
        discussion: """
            SQLite reads the whole file (PRAGMA quick_check). Its findings are printed, and the exit status is 2 if \
            there are any: restore the store from a copy. Another value in a sound row is not found. PostgreSQL has \
            pg_amcheck.
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var report: ReportOptions<PlainForms>

    func run() throws {
        let problems = try store.use { try await $0.problems() }
        try report.write(
            problems.isEmpty ? ["\(store.store): no damage found"] : problems, json: ["problems": .strings(problems)])
        if problems.isEmpty { return }
        throw CommandFailure("\(store.store) is damaged; restore it from a copy").finding()
    }
}
