import AllotCatalog
import AllotConfiguration
import AllotServing
import Hummingbird

/// `/experiments/{key}`: everything about one experiment. `salt` selects another randomisation.
struct ExperimentRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.page("experiments/:key", .experimentPage, on: group) { page in
            let key = try environment.reading.pathComponent("key", page.context)
            let salt = try environment.reading.query(page.request, ["salt"])["salt"]
            guard let entry = page.catalog.experiment(key) else {
                throw RequestFailure(.notFound, "there is no experiment \(QuotedText(key))")
            }
            return ExperimentPage.make(entry, try await exposures(of: entry, salt), in: page.frame)
        }
    }

    private func exposures(
        of entry: CatalogEntry, _ salt: String?
    ) async throws(RequestFailure) -> ExperimentPage.Exposures {
        guard let service = environment.allot.exposures, entry.experiment.salt != nil else { return .noStore }
        do throws(RequestFailure) {
            let read = try await service.history(of: entry.experiment, salt: salt)
            return .read(ExperimentExposures(entry, salt: read.salt, read.history), others: read.others)
        } catch {
            guard error.status == .serviceUnavailable else { throw error }
            return .unreadable
        }
    }
}
