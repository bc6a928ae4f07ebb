import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotExposures
import AllotPages
import AllotServing

/// `/experiments/{key}`: everything about one experiment. `salt` selects another randomisation, and `dialect` the
/// SQL of a warehouse.
struct ExperimentRoutes: Sendable {
    let allot: AllotService
    private let histories = CountCache<Randomisation, Counted>(capacity: 64)

    /// The stored exposures of one randomisation; `nil` for an experiment that is not randomised.
    private typealias Reading = (
        salt: String, isPresent: Bool, value: ExposureHistory, others: [StoredRandomisation]
    )?

    private typealias Counted = (reading: Reading, at: Instant)

    /// The key of a reading.
    private struct Randomisation: Hashable {
        let experiment: String
        let present: UTF8Key?
        let asked: UTF8Key?
    }

    var route: Route {
        allot.pageRoute("/experiments/{key}", query: ["dialect", "salt"]) { page in
            let (key, items) = (try page.request.component(), page.request.query)
            guard let entry = page.catalog.experiment(key) else {
                throw page.active.unknownExperiment(key)
            }
            return page.answer(
                ExperimentPage.make(
                    entry, try await exposures(of: entry, items["salt"]), dialect: items["dialect"],
                    warnings: page.catalog.warnings(about: key), in: page.frame))
        }
    }

    private func exposures(
        of entry: CatalogEntry, _ salt: String?
    ) async throws(RequestFailure) -> ExperimentPage.Exposures {
        guard let exposures = allot.exposures else { return .noStore }
        let experiment = entry.experiment
        let randomisation = Randomisation(
            experiment: experiment.key, present: experiment.salt.map(UTF8Key.init), asked: salt.map(UTF8Key.init))
        do throws(RequestFailure) {
            let counted = try await histories.count(of: randomisation) { () throws(RequestFailure) in
                let countedAt = allot.now()
                let reading: Reading = try await exposures.readingRandomisation(
                    of: experiment.key, experiment, salt: salt
                ) {
                    try await $0.history(experiment: experiment.key, salt: $1)
                }
                return (reading, countedAt)
            }
            guard let read = counted.reading else { return .notRandomised }
            var known = ExperimentExposures(experiment, salt: read.salt, read.value, level: entry.plan.ratioLevel)
            known.countedAt = counted.at
            return .read(known, others: read.others)
        } catch {
            guard error.code == .serviceUnavailable else { throw error }
            return .unreadable
        }
    }
}
