import AllotConfiguration
public import AllotCore
public import AllotExposures
import Metrics

extension Exposure {
    /// The exposure of a setting that was read at an instant.
    public init(_ exposure: ReadingExposure, at instant: Instant) {
        self.init(
            unit: exposure.unit, experiment: exposure.experiment, salt: exposure.salt, variant: exposure.variant,
            reason: exposure.reason.text, at: instant.milliseconds)
        revision = exposure.revision
        window = exposure.window
    }
}

extension ExposureService {
    /// Stores the exposures of a setting that was read with `Plan.reading(_:_:as:for:at:)`, and returns when they are
    /// durable.
    ///
    /// - Throws: `ExposureStoreError`; then none of these exposures is stored.
    public func record<Value>(_ reading: Reading<Value>) async throws(ExposureStoreError) {
        let exposures = reading.exposures.map { Exposure($0, at: reading.instant) }
        guard !exposures.isEmpty else { return }
        do throws(ExposureStoreError) {
            guard let store else { throw ExposureStoreError.closed }
            _ = Self.count(try await store.record(exposures))
        } catch {
            note(error, exposures.count)
            throw error
        }
    }

    /// Stores the events of a body and returns the answer's body. The JSON is gone before the wait for the store.
    package func record(_ body: consuming JSONValue?, limits: RequestLimits) async throws(RequestFailure) -> JSONValue {
        let items = try Self.items(consume body, limits)
        let count = items.count
        let active = plans.current
        let batch: ReceivedExposures
        let (stored, duplicates): (Int, Int)
        do throws(ExposureStoreError) {
            guard let store else { throw ExposureStoreError.closed }
            batch = ReceivedExposures(consume items, active, unconfirmed, limits, at: plans.clock.now())
            (stored, duplicates) = Self.count(try await store.record(checked: batch.exposures))
        } catch {
            note(error, count)
            let (reason, delay) =
                error == .overloaded
                ? ("too many exposures wait to be stored; send them again later", "1")
                : ("the exposures cannot be stored now; send them again later", "10")
            throw RequestFailure(.serviceUnavailable, reason, headers: [("Retry-After", delay)])
        }
        let postponed = batch.faults.count { $0.fault.mayRetry }
        Self.count("postponed", postponed)
        Self.count("rejected", batch.faults.count - postponed)
        typealias Key = ExposureMessage.Answer
        return [
            Key.duplicates: .int(duplicates),
            Key.errors: .array(
                batch.faults.map { index, fault in
                    [Key.error: .string(fault.message), Key.index: .int(index), Key.retry: .boolean(fault.mayRetry)]
                }),
            Key.stored: .int(stored),
        ]
    }

    private static func items(
        _ body: consuming JSONValue?, _ limits: RequestLimits
    ) throws(RequestFailure) -> [JSONValue] {
        guard let body else { throw RequestFailure(.badRequest, #"there is no body; send {"exposures": […]}"#) }
        let list: JSONValue? =
            switch body {
            case .object(let object) where object.members.count == 1: object[ExposureMessage.exposures]
            case .array: body
            default: nil
            }
        guard case .array(let items)? = list else {
            throw RequestFailure(.badRequest, #"the body is not a batch; send {"exposures": […]}"#)
        }
        guard items.count <= limits.exposureCount else {
            throw RequestFailure(
                .contentTooLarge, "there are more than \(limits.exposureCount) exposures; send fewer at once")
        }
        return items
    }

    private static func count(_ outcomes: [ExposureOutcome]) -> (stored: Int, duplicates: Int) {
        let stored = outcomes.count { $0 == .stored }
        count("stored", stored)
        count("duplicate", outcomes.count - stored)
        return (stored, outcomes.count - stored)
    }

    private func note(_ error: ExposureStoreError, _ count: Int) {
        Self.count(error == .overloaded ? "overloaded" : "failed", count)
        guard error != .overloaded else { return }
        var reason = "\(error)"
        if case .failing(let message, _) = health { reason = message }
        logRefusal(reason, requests: 1)
    }

    private static func count(_ outcome: String, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: MetricName.exposures, dimensions: [("outcome", outcome)]).increment(by: count)
    }
}
