import AllotAnalysis
import AllotConfiguration
import AllotExposures
import AllotPages
import AllotServer
import AllotServing
import Hummingbird

/// `/experiments/{key}`: everything about one experiment. `salt` selects another randomisation, and `dialect` the
/// SQL of a warehouse.
struct ExperimentRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    private let histories = CountCache<Randomisation, Reading>(capacity: 64)

    /// The stored exposures of one randomisation; `nil` for an experiment that is not randomised.
    private typealias Reading = (salt: String, history: ExposureHistory, others: [StoredRandomisation])?

    /// The key of a reading.
    private struct Randomisation: Hashable {
        let experiment: String
        let present: UTF8Key?
        let asked: UTF8Key?
    }

    func add(to group: RouterGroup<Context>) {
        environment.page("experiments/:key", on: group) { page in
            let key = try environment.reading.pathComponent("key", page.context)
            let items = try environment.reading.query(page.request, ["dialect", "salt"])
            guard let entry = page.catalog.experiment(key) else {
                throw page.active.unknownExperiment(key)
            }
            return ExperimentPage.make(
                entry, try await exposures(of: entry, items["salt"]), dialect: items["dialect"],
                warnings: page.catalog.warnings(about: key), in: page.frame)
        }
    }

    private func exposures(
        of entry: CatalogEntry, _ salt: String?
    ) async throws(RequestFailure) -> ExperimentPage.Exposures {
        guard let exposures = environment.allot.exposures else { return .noStore }
        let experiment = entry.experiment
        let randomisation = Randomisation(
            experiment: experiment.key, present: experiment.salt.map(UTF8Key.init), asked: salt.map(UTF8Key.init))
        do throws(RequestFailure) {
            let read = try await histories.count(of: randomisation) { () throws(RequestFailure) in
                try await exposures.history(of: experiment, salt: salt)
            }
            guard let read else { return .notRandomised }
            return .read(
                ExperimentExposures(experiment, salt: read.salt, read.history, level: entry.plan.ratioLevel),
                others: read.others)
        } catch {
            guard error.status == .serviceUnavailable else { throw error }
            return .unreadable
        }
    }
}
