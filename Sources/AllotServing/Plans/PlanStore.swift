import AllotConfiguration
public import AllotCore
public import AllotDefinitions
import Synchronization

/// The current plan, which is replaced whole. `Sendable`.
///
/// ```swift
/// import Allot
///
/// let store = PlanStore(try Plan.load(folder: "Experiments"), loadedAt: .now)
/// print(store.current.plan.revision)
/// ```
///
/// A ``DefinitionsReloader`` keeps one for a folder that it watches.
public final class PlanStore: Sendable {
    private struct State {
        var current: ActivePlan
        var told: PlanChange?
        var failure: Failure?
        var subscribers = Registrations<AsyncStream<PlanChange>.Continuation>()
        /// Announces the boundaries of the current plan while there are subscribers.
        var watch: Task<Void, Never>?
    }

    /// The result of the last attempt to load definitions, if it failed.
    package struct Failure: Sendable {
        package let instant: Instant
        package let problemCount: Int
        /// The first of them, which are shown to people.
        package let problems: [String]
    }

    private static let shownProblems = 20
    /// As many bytes of each: an expression in a definition may be as long as its file.
    private static let shownBytes = 4096
    private let state: Mutex<State>
    /// The changes that clients know from other servers.
    let announced = Mutex(AnnouncedChanges())
    private let counters = EvaluationCounters()
    package let clock: ServerClock

    /// Creates a store with its first plan, the warnings about its definitions, and when they were loaded.
    public convenience init(_ plan: Plan, warnings: [DefinitionProblem] = [], loadedAt: Instant) {
        self.init(plan, warnings: warnings, loadedAt: loadedAt, clock: .system)
    }

    package init(_ plan: Plan, warnings: [DefinitionProblem] = [], loadedAt: Instant, clock: ServerClock) {
        let first = ActivePlan(plan, warnings: warnings, loadedAt: loadedAt, counters: counters)
        state = Mutex(State(current: first))
        self.clock = clock
        counters.replace(with: plan)
    }

    deinit { state.withLock { $0.watch?.cancel() } }
    /// The current plan. Take it once for each request.
    public var current: ActivePlan { state.withLock { $0.current } }
    /// The present state, which a subscriber that comes now receives.
    package var present: PlanChange { state.withLock { Self.present(at: clock.now(), $0) } }
    package var failure: Failure? { state.withLock { $0.failure } }

    /// Replaces the current plan. If the new one has the same revision, it behaves alike, and subscribers are not told
    /// of it, only of its boundaries; owners, descriptions, constraints and warnings may still be others. Call it from
    /// one task at a time. Returns whether the revision is another.
    @discardableResult
    public func replace(with plan: Plan, warnings: [DefinitionProblem] = [], loadedAt: Instant) -> Bool {
        // Created, and the old one destroyed, outside the lock that every request takes.
        let former = current
        let isNew = former.plan.revision != plan.revision
        var next = ActivePlan(
            plan, warnings: warnings, loadedAt: isNew ? loadedAt : former.loadedAt, counters: counters)
        counters.replace(with: plan)
        state.withLock { state in
            state.failure = nil
            swap(&state.current, &next)
            // The watch of the former plan, which ends here, may not have announced a boundary yet; those that it has
            // announced are not later than this.
            let now = clock.now()
            let boundary = plan.lastBoundary(at: now)
            if isNew || state.told?.boundary != boundary {
                Self.tell(PlanChange(state.current, boundary: boundary), &state)
            }
            watchBoundaries(after: now, &state)
        }
        return isNew
    }

    package func noteFailure(_ problems: [String], at instant: Instant) {
        let failure = Failure(
            instant: instant, problemCount: problems.count,
            problems: problems.prefix(Self.shownProblems).map { $0.shortened(toBytes: Self.shownBytes) })
        state.withLock { $0.failure = failure }
    }

    /// The current plan, each one that replaces it, and each boundary that passes.
    ///
    /// A slow consumer may skip intermediate changes but always receives the latest.
    public func changes() -> AsyncStream<PlanChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                let number = state.subscribers.add(continuation)
                let now = clock.now()
                let present = Self.present(at: now, state)
                state.told = present
                continuation.yield(present)
                if state.watch == nil { watchBoundaries(after: now, &state) }
                return number
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in
                    state.subscribers.remove(number)
                    guard state.subscribers.isEmpty else { return }
                    state.watch?.cancel()
                    state.watch = nil
                }
            }
        }
    }

    /// The change for a new subscriber, which is written once for all that come at the same state.
    private static func present(at now: Instant, _ state: State) -> PlanChange {
        let boundary = state.current.plan.lastBoundary(at: now)
        if let told = state.told, told.active === state.current, told.boundary == boundary { return told }
        return PlanChange(state.current, boundary: boundary)
    }

    private static func tell(_ change: PlanChange, _ state: inout State) {
        state.told = change
        for subscriber in state.subscribers.all { subscriber.yield(change) }
    }

    /// Announces the boundaries of the current plan. One task waits for all subscribers.
    private func watchBoundaries(after instant: Instant, _ state: inout State) {
        state.watch?.cancel()
        state.watch = nil
        guard !state.subscribers.isEmpty else { return }
        state.watch = Task { [weak self, active = state.current, clock] in
            var now = instant
            while true {
                let (last, next) = (active.plan.lastBoundary(at: now), active.plan.nextBoundary(after: now))
                guard last != nil || next != nil, (try? await clock.leave(last, next)) != nil else { return }
                // Several may have passed at once if the machine was suspended, or be in the future again if its
                // clock was set back.
                now = clock.now()
                let present = active.plan.lastBoundary(at: now)
                guard present != last else { continue }
                let change = PlanChange(active, boundary: present)
                self?.state.withLock { if $0.current === active { Self.tell(change, &$0) } }
            }
        }
    }
}
