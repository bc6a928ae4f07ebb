import Synchronization

/// Sends elements to all who listen at the time; whoever stops listening is forgotten.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var next: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Sends an element. Complexity: O(*n*) in the number of listeners.
    func send(_ element: Element) {
        // Outside of the lock: a continuation may end in here, and forget its listener.
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    /// Ends all listening, also that which is still to begin.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// Listens from now on; ends with the task or the iterator that listens.
    ///
    /// - Parameter buffering: what is kept for a listener that is slower than the elements come.
    func listen(
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .bufferingNewest(256)
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        let id = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    /// How many listen.
    var listenerCount: Int {
        state.withLock { $0.listeners.count }
    }

    private func forget(_ id: UInt64) {
        // Taken out under the lock and let go of outside of it.
        _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }
}
