import AllotFiles

typealias RequestInFlight = SharedRequest<RefreshResult, RefreshError>

protocol CancellableFailure: Error {
    static var cancelled: Self { get }
}

extension RefreshError: CancellableFailure {}
extension ConfigurationFileError: CancellableFailure {}

/// A request to a server and the callers that wait for its response; cancelled when the last caller leaves.
final class SharedRequest<Value: Sendable, Failure: CancellableFailure>: Sendable {
    typealias Response = Result<Value, Failure>

    private struct State {
        var isOver = false
        var task: Task<Void, Never>?
        var failure: Failure?
    }

    private let state = Lock(State())
    private let callers = Broadcast<Response>()

    /// A place for another caller. Returns `nil` if the request has ended or is abandoned.
    func join() -> AsyncStream<Response>? { state.withLock { $0.isOver ? nil : callers.subscribe() } }
    var failure: Failure? { state.withLock { $0.failure } }
    func noteFailure(_ failure: Failure) { state.withLock { $0.failure = failure } }

    func start(_ request: @escaping @Sendable () async -> Response) {
        let task = Task {
            let response = await request()
            state.withLock { $0.isOver = true }
            callers.send(response)
            callers.finish()
        }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// Waits for the response. A caller whose task is cancelled receives the failure `cancelled` at once.
    func response(_ place: AsyncStream<Response>) async -> Response {
        for await response in place { return response }
        cancel { callers.subscriberCount == 0 }
        return .failure(.cancelled)
    }

    /// Cancels the request if a condition holds; all callers receive the failure `cancelled`.
    func cancel(if condition: () -> Bool = { true }) {
        let abandoned = state.withLock { state -> Task<Void, Never>? in
            guard condition() else { return nil }
            state.isOver = true
            return state.task
        }
        abandoned?.cancel()
    }
}
