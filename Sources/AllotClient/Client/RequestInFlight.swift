import Synchronization

/// A request under way, and all who wait for its answer. When the last of them has gone, it is given up.
final class RequestInFlight: Sendable {
    /// How it ends.
    typealias Answer = Result<RefreshResult, RefreshError>

    private struct State {
        var answer: Answer?
        /// Who waits, by the number that each was given; no continuation before waiting has begun.
        var waiters: [UInt64: CheckedContinuation<Answer, Never>?] = [:]
        var next: UInt64 = 0
        var isDeserted = false
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>

    private init(_ state: State) {
        self.state = Mutex(state)
    }

    /// A request that is to be made, and the number of the first who waits for it.
    static func begin() -> (flight: RequestInFlight, number: UInt64) {
        (RequestInFlight(State(waiters: [1: nil], next: 1)), 1)
    }

    /// A number for one who is going to wait; `nil` when the request has ended or is given up.
    func join() -> UInt64? {
        state.withLock { state in
            guard state.answer == nil, !state.isDeserted else { return nil }
            state.next += 1
            state.waiters[state.next] = .some(nil)
            return state.next
        }
    }

    /// Makes the request, once somebody has joined.
    func start(_ request: @escaping @Sendable () async -> Answer) {
        let task = Task { finish(await request()) }
        let isDeserted = state.withLock { state in
            state.task = task
            return state.isDeserted
        }
        if isDeserted { task.cancel() }
    }

    /// The answer; at once the failure `cancelled` for a waiter whose task is cancelled.
    func answer(_ number: UInt64) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Answer? = state.withLock { state in
                    if let answer = state.answer { return answer }
                    guard state.waiters[number] != nil else { return .failure(.cancelled) }
                    state.waiters[number] = .some(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func leave(_ number: UInt64) {
        let (continuation, task) = state.withLock { state in
            guard state.answer == nil, let waiter = state.waiters.removeValue(forKey: number) else {
                return (CheckedContinuation<Answer, Never>?.none, Task<Void, Never>?.none)
            }
            state.isDeserted = state.waiters.isEmpty
            return (waiter, state.isDeserted ? state.task : nil)
        }
        continuation?.resume(returning: .failure(.cancelled))
        task?.cancel()
    }

    private func finish(_ answer: Answer) {
        let waiters = state.withLock { state in
            state.answer = answer
            defer { state.waiters = [:] }
            return state.waiters.values.compactMap { $0 }
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }
}
