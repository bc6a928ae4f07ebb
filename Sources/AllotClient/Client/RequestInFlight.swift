import Synchronization

/// A request to the server and the callers that wait for its response. It is cancelled when the last caller leaves.
final class RequestInFlight: Sendable {
    /// The result that all callers receive.
    typealias Response = Result<RefreshResult, RefreshError>

    private struct State {
        var response: Response?
        /// The waiting callers by number; without a continuation before they start to wait.
        var waiters: [UInt64: CheckedContinuation<Response, Never>?] = [:]
        var lastNumber: UInt64 = 0
        var isAbandoned = false
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>

    private init(_ state: State) {
        self.state = Mutex(state)
    }

    /// A request that is to be started, and the number of its first caller.
    static func begin() -> (request: RequestInFlight, number: UInt64) {
        (RequestInFlight(State(waiters: [1: nil], lastNumber: 1)), 1)
    }

    /// A number for another caller. Returns `nil` if the request has ended or is abandoned.
    func join() -> UInt64? {
        state.withLock { state in
            guard state.response == nil, !state.isAbandoned else { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = .some(nil)
            return state.lastNumber
        }
    }

    /// Starts the request.
    func start(_ request: @escaping @Sendable () async -> Response) {
        let task = Task { finish(await request()) }
        let isAbandoned = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Waits for the response. A caller whose task is cancelled receives the failure `cancelled` at once.
    func response(_ number: UInt64) async -> Response {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let response: Response? = state.withLock { state in
                    if let response = state.response { return response }
                    guard state.waiters[number] != nil else { return .failure(.cancelled) }
                    state.waiters[number] = .some(continuation)
                    return nil
                }
                if let response { continuation.resume(returning: response) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: UInt64) {
        let (continuation, task) = state.withLock { state in
            guard state.response == nil, let waiter = state.waiters.removeValue(forKey: number) else {
                return (CheckedContinuation<Response, Never>?.none, Task<Void, Never>?.none)
            }
            state.isAbandoned = state.waiters.isEmpty
            return (waiter, state.isAbandoned ? state.task : nil)
        }
        continuation?.resume(returning: .failure(.cancelled))
        task?.cancel()
    }

    private func finish(_ response: Response) {
        let waiters = state.withLock { state in
            state.response = response
            defer { state.waiters = [:] }
            return state.waiters.values.compactMap { $0 }
        }
        for waiter in waiters { waiter.resume(returning: response) }
    }
}
