public import Allot
import Synchronization

/// The current plan, which is replaced whole. `Sendable`.
///
/// ```swift
/// import Allot
/// import AllotDefinitions
///
/// let store = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// print(store.current.plan.revision)
/// ```
///
/// A ``DefinitionsReloader`` keeps one for a folder that it watches.
public final class PlanStore: Sendable {
    private struct State {
        var current: ActivePlan
        var failure: Failure?
        var subscribers: [Int: AsyncStream<ActivePlan>.Continuation] = [:]
        var nextSubscriber = 0
    }

    /// The result of the last attempt to load definitions, if it failed.
    package struct Failure: Sendable {
        package let instant: Instant
        package let problemCount: Int
    }

    private let state: Mutex<State>

    /// Creates a store with its first plan.
    public init(_ plan: Plan, loadedAt: Instant) {
        state = Mutex(State(current: ActivePlan(plan, loadedAt: loadedAt)))
    }

    /// The current plan. Take it once for each request.
    public var current: ActivePlan {
        state.withLock { $0.current }
    }

    /// Why the last attempt to load definitions failed; `nil` if it did not.
    package var failure: Failure? {
        state.withLock { $0.failure }
    }

    /// Replaces the current plan, unless the new one has the same revision and so behaves alike. Call it from one task
    /// at a time.
    ///
    /// - Returns: whether the revision is another.
    @discardableResult
    public func replace(with plan: Plan, loadedAt: Instant) -> Bool {
        // Created, and the old one destroyed, outside the lock that every request takes.
        let isNew = current.plan.revision != plan.revision
        var next = isNew ? ActivePlan(plan, loadedAt: loadedAt) : nil
        state.withLock { state in
            state.failure = nil
            guard let made = next else { return }
            (state.current, next) = (made, state.current)
            for subscriber in state.subscribers.values { subscriber.yield(made) }
        }
        return isNew
    }

    /// Records that definitions could not be loaded. The current plan stays.
    package func noteFailure(at instant: Instant, problemCount: Int) {
        state.withLock { $0.failure = Failure(instant: instant, problemCount: problemCount) }
    }

    /// The current plan and each one that replaces it. A slow consumer may skip intermediate plans but always receives
    /// the latest.
    package func updates() -> AsyncStream<ActivePlan> {
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
