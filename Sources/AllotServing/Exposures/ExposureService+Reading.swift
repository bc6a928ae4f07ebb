import AllotConfiguration
import AllotCore
import AllotExposures

extension ExposureService {
    /// The body of `GET /experiments/{key}/exposures`: the units by variant, next to the buckets of the definition.
    /// Without a salt it is that of the present randomisation, or of the last one that was received.
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
            others.map { other in
                let last = Instant(milliseconds: other.lastReceivedAt).text(.milliseconds)
                return ["last_received_at": .string(last), "salt": .string(other.salt)]
            })
        return .object(json)
    }

    /// Starts an export; of the usual randomisation if the selection has an experiment and no salt.
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

    /// Logs why an export that is under way breaks off; a client that has left is not a fault of the server.
    package func noteBrokenExport(_ error: any Error, isSending: Bool) {
        if error is CancellationError { return }
        let message = "an export of exposures broke off: \(error)"
        if isSending { logger.debug("\(message)") } else { logReadFailure(message) }
    }

    /// Reads a value of one randomisation of an experiment, the usual one without a salt, and the other ones of which
    /// exposures are stored. Returns `nil` if there is none.
    package func readingRandomisation<Value: Sendable>(
        of key: String, _ defined: Plan.Experiment?, salt: String?,
        _ body: (ExposureStore, _ salt: String) async throws -> Value
    ) async throws(RequestFailure) -> (salt: String, isPresent: Bool, value: Value, others: [StoredRandomisation])? {
        try await reading { store in
            let stored = try await store.randomisations(of: key)
            guard let salt = salt ?? Self.usualSalt(defined, stored) else { return nil }
            let isPresent = defined?.salt.map { UTF8Order.areEqual($0, salt) } ?? false
            let others = stored.filter { !UTF8Order.areEqual($0.salt, salt) }
            guard isPresent || others.count < stored.count else {
                throw RequestFailure(
                    .notFound, "there are no exposures of \(QuotedText(key)) with the salt \(QuotedText(salt))")
            }
            return (salt, isPresent, try await body(store, salt), others)
        }
    }

    private static func usualSalt(_ defined: Plan.Experiment?, _ stored: [StoredRandomisation]) -> String? {
        defined?.salt ?? stored.max { $0.lastReceivedAt < $1.lastReceivedAt }?.salt
    }

    /// Reads from the store; what goes wrong is logged, and never answered with what was read until then.
    package func reading<Value: Sendable>(
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
