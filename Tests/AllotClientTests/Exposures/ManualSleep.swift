import Synchronization

/// Sleeps that end when a test says so.
final class ManualSleep: Sendable {
    private struct Sleeper {
        let number: Int
        let seconds: Double
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var sleepers: [Sleeper] = []
        var count = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let (begun, begunContinuation) = AsyncStream.makeStream(of: Double.self)

    /// Sleeps until ``wake()``, or the task's cancellation.
    func sleep(_ duration: Duration) async throws {
        let seconds = duration / .seconds(1)
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(number) { return true }
                    state.sleepers.append(Sleeper(number: number, seconds: seconds, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                begunContinuation.yield(seconds)
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                state.cancelled.insert(number)
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits for the next sleep to begin; returns how long it would be, in seconds.
    func next() async -> Double? {
        var iterator = begun.makeAsyncIterator()
        return await iterator.next()
    }

    /// Ends all sleeps; returns how many.
    @discardableResult
    func wake() -> Int {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.continuation.resume() }
        return sleepers.count
    }
}
