import AllotCatalog
import AllotConfiguration
import AllotServing
import Hummingbird

/// `/experiments/{key}`: everything about one experiment. `salt` selects another randomisation, and `dialect` the
/// SQL of a warehouse.
struct ExperimentRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    private let histories: HistoryCache?

    init(environment: RouteEnvironment<Context>) {
        self.environment = environment
        histories = environment.allot.exposures.map { HistoryCache($0) }
    }

    func add(to group: RouterGroup<Context>) {
        environment.page("experiments/:key", .experimentPage, on: group) { page in
            let key = try environment.reading.pathComponent("key", page.context)
            let items = try environment.reading.query(page.request, ["dialect", "salt"])
            guard let entry = page.catalog.experiment(key) else {
                throw RequestFailure(.notFound, "there is no experiment \(QuotedText(key))")
            }
            return ExperimentPage.make(
                entry, try await exposures(of: entry, items["salt"]), dialect: items["dialect"], in: page.frame)
        }
    }

    private func exposures(
        of entry: CatalogEntry, _ salt: String?
    ) async throws(RequestFailure) -> ExperimentPage.Exposures {
        guard let histories else { return .noStore }
        do throws(RequestFailure) {
            guard let read = try await histories.history(of: entry.experiment, salt: salt) else {
                return .notRandomised
            }
            return .read(ExperimentExposures(entry, salt: read.salt, read.history), others: read.others)
        } catch {
            guard error.status == .serviceUnavailable else { throw error }
            return .unreadable
        }
    }
}
