import AllotFiles

final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var subscribers: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())

    func send(_ element: Element) {
        // Outside the lock: a stream may end here, which unsubscribes it.
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield(element) }
    }

    func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    /// Subscribes until the task or the iterator that reads the stream ends; `buffering` is for a slow subscriber.
    func subscribe(
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .bufferingNewest(256)
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        let id = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.lastID += 1
            state.subscribers[state.lastID] = continuation
            return state.lastID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            // The removed continuation is released outside the lock.
            _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    var subscriberCount: Int { state.withLock { $0.subscribers.count } }
}

/// The events of a client, which are logged and sent to subscribers one after another.
final class EventLog: Sendable {
    let subscribers = Broadcast<ConfigurationEvent>()
    private let log: @Sendable (ConfigurationEvent) -> Void
    private let sending = Lock(())

    init(_ log: @escaping @Sendable (ConfigurationEvent) -> Void) { self.log = log }

    /// Logs and sends the events that `take` returns, after those of earlier calls.
    func send(_ take: () -> [ConfigurationEvent]) {
        sending.withLock { _ in
            for event in take() {
                log(event)
                subscribers.send(event)
            }
        }
    }
}
