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
    }
}

extension ExposureService {
    /// The answer to `POST /exposures` with a body `{"exposures": [EVENT…]}`: what is stored is durable.
    ///
    /// The body is read as it is. A caller that accepts `Content-Encoding` decodes it before, within ``RequestLimits``;
    /// a compressed body is answered like any other that is not JSON.
    ///
    /// - Parameters:
    ///   - body: the bytes of the body.
    ///   - contentType: the header `Content-Type`: only JSON is accepted, which a page of another origin cannot send
    ///     unasked.
    ///   - limits: the limits of what one request may send.
    public func record(
        body: [UInt8], contentType: String?, limits: RequestLimits = RequestLimits()
    ) async -> HTTPAnswer {
        do throws(RequestFailure) {
            try JSONBody.requireType(contentType, isEmpty: false)
            guard body.count <= limits.exposureBodyBytes else {
                throw RequestFailure(
                    .contentTooLarge, "the body has more than \(limits.exposureBodyBytes) bytes; send less at once")
            }
            return HTTPAnswer(json: try await record(JSONBody.parse(body), limits: limits))
        } catch {
            return HTTPAnswer(error)
        }
    }

    /// Stores the exposures of a setting that was read with `Plan.reading(_:_:as:for:at:)`, and returns when they are
    /// durable.
    ///
    /// - Throws: `ExposureStoreError`; then none of these exposures is stored.
    public func record<Value>(_ reading: Reading<Value>) async throws(ExposureStoreError) {
        let exposures = reading.exposures.map { Exposure($0, at: reading.instant) }
        guard !exposures.isEmpty else { return }
        do throws(ExposureStoreError) {
            guard let store else { throw ExposureStoreError.closed }
            let stored = try await store.record(exposures).count { $0 == .stored }
            Self.count("stored", stored)
            Self.count("duplicate", exposures.count - stored)
        } catch {
            Self.count(error == .overloaded ? "overloaded" : "failed", exposures.count)
            if error != .overloaded { logRefusal(refusal(error), requests: 1) }
            throw error
        }
    }

    /// Stores the events of a body and returns the answer's body. The JSON, which takes many times the room of its
    /// text, is gone before the store is waited for.
    package func record(
        _ body: consuming JSONValue?, limits: RequestLimits
    ) async throws(RequestFailure) -> JSONValue {
        let items = try Self.items(consume body, limits)
        let count = items.count
        let active = plans.current
        let outcomes: [ExposureOutcome]
        let batch: ReceivedExposures
        do {
            guard let store else { throw ExposureStoreError.closed }
            batch = ReceivedExposures(consume items, active, unconfirmed, limits, at: plans.clock.now())
            outcomes = try await store.record(checked: batch.exposures)
        } catch ExposureStoreError.overloaded {
            Self.count("overloaded", count)
            throw RequestFailure(
                .serviceUnavailable, "too many exposures wait to be stored; send them again later",
                headers: [("Retry-After", "1")])
        } catch {
            Self.count("failed", count)
            // A client that has left is not a fault.
            if !(error is CancellationError) { logRefusal(refusal(error), requests: 1) }
            throw RequestFailure(
                .serviceUnavailable, "the exposures cannot be stored now; send them again later",
                headers: [("Retry-After", "10")])
        }
        let stored = outcomes.count { $0 == .stored }
        let postponed = batch.faults.count { $0.fault.mayRetry }
        Self.count("stored", stored)
        Self.count("duplicate", outcomes.count - stored)
        Self.count("postponed", postponed)
        Self.count("rejected", batch.faults.count - postponed)
        return Self.answer(stored: stored, duplicates: outcomes.count - stored, batch.faults)
    }

    /// The reason why exposures are refused: that of the health, if it has one.
    private func refusal(_ error: any Error) -> String {
        guard case .failing(let message, _) = health else { return "\(error)" }
        return message
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

    private static func answer(
        stored: Int, duplicates: Int, _ faults: [(index: Int, fault: ReceivedExposures.Fault)]
    ) -> JSONValue {
        typealias Key = ExposureMessage.Answer
        return [
            Key.duplicates: .int(duplicates),
            Key.errors: .array(
                faults.map { index, fault in
                    [Key.error: .string(fault.message), Key.index: .int(index), Key.retry: .boolean(fault.mayRetry)]
                }),
            Key.stored: .int(stored),
        ]
    }

    private static func count(_ outcome: String, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: MetricName.exposures, dimensions: [("outcome", outcome)]).increment(by: count)
    }
}
