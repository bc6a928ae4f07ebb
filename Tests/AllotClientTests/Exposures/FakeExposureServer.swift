import AllotClient
import Foundation
import Synchronization

/// A server in memory that stores each event ID once, and fails as a test says.
final class FakeExposureServer: ExposureSender {
    /// What becomes of a request.
    enum Behaviour: Sendable {
        case answer
        /// The events are stored, and the answer is lost.
        case losesAnswer
        case fails(RequestError)
    }

    private struct State {
        var stored: [String: ExposureEvent] = [:]
        var order: [String] = []
        var requests: [[ExposureEvent]] = []
        var deliveries = 0
        var behaviour: @Sendable ([ExposureEvent]) -> Behaviour = { _ in .answer }
        var refusal: @Sendable (ExposureEvent) -> ExposureAnswer.Failure? = { _ in nil }
        var serverTime: Date?
        var gates: [CheckedContinuation<Void, Never>] = []
        var isGated = false
    }

    private let state = Mutex(State())
    private let (entered, enteredContinuation) = AsyncStream.makeStream(of: Void.self)

    /// Decides what becomes of each request.
    func behave(_ behaviour: @escaping @Sendable ([ExposureEvent]) -> Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    /// Decides which events are not taken.
    func refuse(_ refusal: @escaping @Sendable (ExposureEvent) -> ExposureAnswer.Failure?) {
        state.withLock { $0.refusal = refusal }
    }

    func setTime(_ time: Date?) { state.withLock { $0.serverTime = time } }

    /// The events it has, in the order in which they came.
    var stored: [ExposureEvent] { state.withLock { state in state.order.compactMap { state.stored[$0] } } }

    /// What was sent in each request.
    var requests: [[ExposureEvent]] { state.withLock { $0.requests } }

    /// How many events reached it, those too that it knew.
    var deliveries: Int { state.withLock { $0.deliveries } }

    // MARK: Holding requests

    /// From now on requests wait for ``open()``.
    func close() { state.withLock { $0.isGated = true } }

    /// Lets all requests go on.
    func open() {
        let gates = state.withLock { state in
            state.isGated = false
            defer { state.gates = [] }
            return state.gates
        }
        for gate in gates { gate.resume() }
    }

    /// Whether a request is held.
    var isHolding: Bool { state.withLock { !$0.gates.isEmpty } }

    /// Waits until a request is held.
    func untilHeld() async {
        var iterator = entered.makeAsyncIterator()
        await iterator.next()
    }

    func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isGated { state.gates.append(continuation) }
                return state.isGated
            }
            if isHeld { enteredContinuation.yield() } else { continuation.resume() }
        }
        let result = state.withLock { state -> Result<ExposureAnswer, RequestError> in
            state.requests.append(events)
            let behaviour = state.behaviour(events)
            if case .fails(let error) = behaviour { return .failure(error) }
            var failures: [Int: ExposureAnswer.Failure] = [:]
            var stored = 0
            for (index, event) in events.enumerated() {
                if let failure = state.refusal(event) {
                    failures[index] = failure
                    continue
                }
                state.deliveries += 1
                if state.stored.updateValue(event, forKey: event.id) == nil {
                    state.order.append(event.id)
                    stored += 1
                }
            }
            if case .losesAnswer = behaviour { return .failure(RequestError(.unreachable, "the connection broke")) }
            return .success(
                ExposureAnswer(
                    stored: stored, duplicates: events.count - stored - failures.count, failures: failures,
                    serverTime: state.serverTime))
        }
        return try result.get()
    }
}

extension RequestError {
    static func status(_ status: Int, retryAfter: Double? = nil) -> RequestError {
        RequestError(.status(status), "answered \(status)", retryAfter: retryAfter)
    }
}
