import AllotBatch
import AllotExposures
import AllotFiles
import AllotPostgreSQL
import ArgumentParser

struct ExposuresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposures", abstract: "Read, merge, delete and check the exposures that servers have stored.",
        discussion: """
            A store is the SQLite file of one server, or the PostgreSQL database of several (postgresql://...; leave \
            the password to ~/.pgpass or PGPASSWORD). All commands work while servers use it.

            EXAMPLES
              allot exposures counts allot.sqlite
              allot exposures export allot.sqlite --experiment buy-button -o exposed.csv
              allot exposures purge allot.sqlite --before 2026-01-01T00:00:00Z
              allot exposures erase allot.sqlite user-42
            """,
        subcommands: [
            ExposureExportCommand.self, ExposureCountsCommand.self, ExposureMergeCommand.self,
            ExposurePurgeCommand.self, ExposureEraseCommand.self, ExposureCheckCommand.self,
        ])
}

struct StoreArgument: ParsableArguments {
    @Argument(help: .value("store", "An SQLite file, or postgresql://..."), completion: .file()) var store: String

    func use<Result: Sendable>(_ body: @escaping @Sendable (ExposureStore) async throws -> Result) throws -> Result {
        let store = store
        return try Waiting.result { try await Self.withStore(store, body) }
    }

    /// Throws if a store is a file that does not exist, or that is empty, which SQLite would make a store.
    static func checkExistence(_ location: String) throws {
        guard ExposureStore.isPath(location) else { return }
        let problem: String
        do throws(FileError) {
            guard try InputFile.size(ofFileAt: location) == 0 else { return }
            problem = "\(location) is empty and not a store"
        } catch {
            guard error.isAbsence else { throw error }
            problem = "there is no store \(location)"
        }
        throw CommandFailure("\(problem); name the file of allot-server's option --exposures")
    }

    /// Does something with a store, and closes it. A mistyped path is an error, and does not create a store.
    static func withStore<Result: Sendable>(
        _ location: String, isNewAllowed: Bool = false, _ body: (ExposureStore) async throws -> Result
    ) async throws -> Result {
        if !isNewAllowed { try checkExistence(location) }
        let store = try ExposureStore(location: location, isNewAllowed: isNewAllowed)
        do {
            let result = try await body(store)
            await store.shutdown()
            return result
        } catch {
            await store.shutdown()
            throw error
        }
    }
}
