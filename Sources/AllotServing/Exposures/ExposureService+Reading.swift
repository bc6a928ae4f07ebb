import AllotConfiguration
import AllotCore
import AllotExposures

extension ExposureService {
    /// The answer to `GET /experiments/{key}/exposures`: the units by variant, next to the buckets of the definition.
    ///
    /// - Parameters:
    ///   - experiment: the experiment's key.
    ///   - salt: the salt of the randomisation; `nil` for the present one, and of an experiment that is not defined for
    ///     the one whose exposures were received last.
    public func counts(of experiment: String, salt: String? = nil) async -> HTTPAnswer {
        do throws(RequestFailure) {
            return HTTPAnswer(json: try await countsJSON(of: experiment, salt: salt))
        } catch {
            return HTTPAnswer(error)
        }
    }

    /// The body of that answer.
    package func countsJSON(of key: String, salt: String?) async throws(RequestFailure) -> JSONValue {
        let defined = plans.current.experiment(key)
        let read = try await readingRandomisation(of: key, defined, salt: salt) { store, salt in
            try await store.counts(experiment: key, salt: salt)
        }
        guard let (chosen, isPresent, counts, others) = read else {
            throw RequestFailure(
                .notFound,
                defined == nil
                    ? "there is no experiment \(QuotedText(key)), nor exposures of one"
                    : "\(key) is not randomised (unit: none), so there are no exposures to count")
        }
        let present = isPresent ? defined : nil
        var json = counts.json(
            experiment: key, salt: chosen, buckets: present?.variants.map { ($0.key, $0.bucketCount) } ?? [])
        if let foreign = present?.hash?.foreign { json["resolution"] = .int(foreign.resolution) }
        json["other_randomisations"] = .array(
            others.map { randomisation in
                [
                    "last_received_at": .string(
                        Instant(milliseconds: randomisation.lastReceivedAt).text(.milliseconds)),
                    "salt": .string(randomisation.salt),
                ]
            })
        return .object(json)
    }

    package func totals() async throws(RequestFailure) -> [ExposureTotal] {
        try await reading { try await $0.totals() }
    }

    /// The units of one randomisation of an experiment that is defined by the days of their first exposures, and the
    /// other randomisations of which exposures are stored.
    ///
    /// - Parameter salt: the salt of the randomisation; `nil` for the present one, and of an experiment that
    ///   randomises nothing for the one whose exposures were received last.
    /// - Returns: `nil` for an experiment that randomises nothing and never did.
    package func history(
        of experiment: Plan.Experiment, salt: String?
    ) async throws(RequestFailure) -> (salt: String, history: ExposureHistory, others: [StoredRandomisation])? {
        let key = experiment.key
        let read = try await readingRandomisation(of: key, experiment, salt: salt) { store, salt in
            try await store.history(experiment: key, salt: salt)
        }
        return read.map { ($0.salt, $0.value, $0.others) }
    }

    /// The units of the present randomisations of experiments by the days of their first exposures, all at one moment:
    /// by the experiments' keys. Experiments that randomise nothing have none.
    package func histories(
        of experiments: [Plan.Experiment]
    ) async throws(RequestFailure) -> [String: ExposureHistory] {
        try await reading { try await $0.histories(byExperiment: experiments.map { ($0.key, $0.salt) }) }
    }

    /// The exposures of some units, counted or not: of each the last first.
    package func exposures(ofUnits units: [String]) async throws(RequestFailure) -> [Exposure] {
        try await reading { store in
            var exposures: [Exposure] = []
            for unit in units { exposures += try await store.exposures(ofUnit: unit) }
            return exposures
        }
    }

    /// Starts an export.
    ///
    /// - Parameter selection: of which randomisation; with an experiment and without a salt, the usual one.
    package func export(
        _ selection: ExposureSelection, as format: ExposureFormat, after cursor: Int64
    ) async throws(RequestFailure) -> ExposureExport {
        try await reading { store in
            var selection = selection
            if let key = selection.experiment, selection.salt == nil {
                selection.salt = Self.usualSalt(
                    self.plans.current.experiment(key), try await store.randomisations(of: key))
            }
            return try await store.export(selection, as: format, after: cursor)
        }
    }

    /// Logs why an export that is under way breaks off.
    ///
    /// - Parameter isSending: whether what was read could not be sent, because the client has left.
    package func noteBrokenExport(_ error: any Error, isSending: Bool) {
        if error is CancellationError { return }
        let message = "an export of exposures broke off: \(error)"
        if isSending { logger.debug("\(message)") } else { logReadFailure(message) }
    }

    /// Reads a value of one randomisation of an experiment, and the other ones of which exposures are stored.
    ///
    /// - Parameters:
    ///   - defined: the definition of the experiment; `nil` if it is not defined.
    ///   - salt: the salt of the randomisation; `nil` for the usual one.
    /// - Returns: `nil` if there is none.
    private func readingRandomisation<Value: Sendable>(
        of key: String, _ defined: Plan.Experiment?, salt: String?,
        _ body: (ExposureStore, _ salt: String) async throws -> Value
    ) async throws(RequestFailure) -> (salt: String, isPresent: Bool, value: Value, others: [StoredRandomisation])? {
        let read = try await reading { store -> (String, Value, [StoredRandomisation])? in
            let stored = try await store.randomisations(of: key)
            guard let salt = salt ?? Self.usualSalt(defined, stored) else { return nil }
            return (salt, try await body(store, salt), stored)
        }
        guard let (chosen, value, stored) = read else { return nil }
        let isPresent = defined?.salt.map { UTF8Order.areEqual($0, chosen) } ?? false
        let others = stored.filter { !UTF8Order.areEqual($0.salt, chosen) }
        guard isPresent || others.count < stored.count else {
            throw RequestFailure(
                .notFound, "there are no exposures of \(QuotedText(key)) with the salt \(QuotedText(chosen))")
        }
        return (chosen, isPresent, value, others)
    }

    private static func usualSalt(_ defined: Plan.Experiment?, _ stored: [StoredRandomisation]) -> String? {
        defined?.salt ?? stored.max { $0.lastReceivedAt < $1.lastReceivedAt }?.salt
    }

    /// Reads from the store; what goes wrong is logged, and never answered with what was read until then.
    private func reading<Value: Sendable>(
        _ body: (ExposureStore) async throws -> Value
    ) async throws(RequestFailure) -> Value {
        do {
            guard let store else { throw ExposureStoreError.closed }
            return try await body(store)
        } catch let failure as RequestFailure {
            throw failure
        } catch ExposureStoreError.refused(let message) {
            throw RequestFailure(.badRequest, message)
        } catch ExposureStoreError.damaged(let message) {
            logReadFailure(message)
            throw RequestFailure(
                .serviceUnavailable, "the exposures cannot be read: their store is damaged, and has to be restored")
        } catch {
            if store != nil, !(error is CancellationError) { logReadFailure("exposures cannot be read: \(error)") }
            throw RequestFailure(
                .serviceUnavailable, "the exposures cannot be read now; ask again later",
                headers: [("Retry-After", "10")])
        }
    }
}
