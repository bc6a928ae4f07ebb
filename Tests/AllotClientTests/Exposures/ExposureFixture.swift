import AllotConfiguration
import Foundation

@testable import AllotClient

/// The configurations, assignments and events of tests of exposures.
enum ExposureFixture {
    static let now = Date(timeIntervalSince1970: 1_795_262_400)

    /// Options without clock, sleep and chance.
    static func options(
        _ sleep: ManualSleep = ManualSleep(), batchSize: Int? = nil, queueLimit: Int? = nil
    ) -> ExposureOptions {
        var options = ExposureOptions()
        if let batchSize { options.batchSize = batchSize }
        if let queueLimit { options.queueLimit = queueLimit }
        options.clock.now = { now }
        options.clock.sleep = { try await sleep.sleep($0) }
        options.clock.random = { 0.5 }
        return options
    }

    static func assignment(
        _ experiment: String = "checkout-button", _ variant: String = "green", revision: String? = "1f0c",
        salt: String? = nil, unit: String = "user_id", reason: String = "split"
    ) -> ExperimentAssignment {
        ExperimentAssignment(
            experiment: experiment, salt: salt, variant: variant, reason: reason, revision: revision, unit: unit)
    }

    static func configuration(_ user: String = "user-1", attributes: JSONObject = [:]) -> Configuration {
        Configuration(
            ConfigurationDocument(sections: [:], meta: [:]), user: ConfigurationUser(user, attributes: attributes))
    }

    static func event(_ unit: String, id: String? = nil, at: String = "2026-11-21T12:00:00.000Z") -> ExposureEvent {
        ExposureEvent(
            id: id ?? "event-\(unit)", unit: unit, experiment: "checkout-button", salt: "checkout-button",
            variant: "green", revision: "1f0c", reason: "split", isOverridden: false, at: at,
            attributes: ["source": "remote"])
    }
}

extension ExposureReporter {
    /// Records the exposure of units to an experiment.
    func record(_ experiment: String = "checkout-button", units: some Sequence<String>) {
        for unit in units { record(ExposureFixture.assignment(experiment), in: ExposureFixture.configuration(unit)) }
    }

    /// Records the exposure of units with numbers to an experiment.
    func record(_ experiment: String = "checkout-button", units: Range<Int>) {
        record(experiment, units: units.map { "\($0)" })
    }

    /// A reporter with the options of tests.
    static func make(
        _ folder: String?, _ server: FakeExposureServer, _ options: ExposureOptions = ExposureFixture.options(),
        write: @escaping JournalWrite = LockedFile.append
    ) -> ExposureReporter { ExposureReporter(folder: folder, sender: server, options: options, write: write) }
}
