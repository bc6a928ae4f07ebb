public import Allot
import Synchronization

/// The plan in force, replaced whole.
public final class PlanStore: Sendable {
    private struct State {
        var current: ActivePlan
        var failedAt: Instant?
        var problemCount = 0
        var subscribers: [Int: AsyncStream<ActivePlan>.Continuation] = [:]
        var nextSubscriber = 0
    }

    /// What the last attempt to load definitions found.
    public struct Health: Sendable, Hashable {
        /// When the definitions could not be loaded, if the last attempt failed.
        public let failedAt: Instant?
        /// How many errors the last attempt met.
        public let problemCount: Int
    }

    private let state: Mutex<State>

    /// Begins with a plan.
    public init(_ plan: Plan, loadedAt: Instant) {
        state = Mutex(State(current: ActivePlan(plan, loadedAt: loadedAt)))
    }

    /// The plan in force. Take it once for each request.
    public var current: ActivePlan {
        state.withLock { $0.current }
    }

    /// What the last attempt to load definitions found.
    public var health: Health {
        state.withLock { Health(failedAt: $0.failedAt, problemCount: $0.problemCount) }
    }

    /// Puts a plan in force; call it from one place at a time. One of the same revision behaves as the one in force, which then stays.
    ///
    /// - Returns: whether the revision is another.
    @discardableResult
    public func replace(with plan: Plan, loadedAt: Instant) -> Bool {
        // Made, and the old one unmade, outside the lock that every request takes.
        let isNew = current.plan.revision != plan.revision
        var next = isNew ? ActivePlan(plan, loadedAt: loadedAt) : nil
        state.withLock { state in
            state.failedAt = nil
            state.problemCount = 0
            guard let made = next else { return }
            (state.current, next) = (made, state.current)
            for subscriber in state.subscribers.values { subscriber.yield(made) }
        }
        return isNew
    }

    /// Notes that definitions could not be loaded; the plan in force stays.
    public func noteFailure(at instant: Instant, problemCount: Int) {
        state.withLock { state in
            state.failedAt = instant
            state.problemCount = problemCount
        }
    }

    /// The plan in force and each one that replaces it. Who is slow misses those in between, never the last.
    public func updates() -> AsyncStream<ActivePlan> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.nextSubscriber += 1
                state.subscribers[state.nextSubscriber] = continuation
                continuation.yield(state.current)
                return state.nextSubscriber
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.subscribers[number] = nil }
            }
        }
    }
}
