import AllotCore
import Synchronization

@testable import AllotServing

/// A clock that stands still until a test moves it on.
final class SimulatedClock: Sendable {
    private struct Sleeper {
        let start: Instant?
        let end: Instant?
        let continuation: CheckedContinuation<Void, any Error>

        func isDue(_ now: Instant) -> Bool {
            start.map { now < $0 } == true || end.map { now >= $0 } == true
        }
    }

    private struct State {
        var now: Instant
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ now: Instant = Fixture.instant) {
        state = Mutex(State(now: now))
    }

    /// The clock as servers take it.
    var clock: ServerClock {
        ServerClock(now: { self.now }, leave: { try await self.leave($0, $1) })
    }

    var now: Instant { state.withLock { $0.now } }

    /// Sets the time, and wakes the tasks that wait for it.
    func set(_ now: Instant) {
        let due = state.withLock { state in
            state.now = now
            let due = state.sleepers.filter { $0.value.isDue(now) }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the time to a number of seconds after the fixture's instant.
    func set(seconds: Int64) {
        set(Instant(seconds: Fixture.instant.seconds + seconds))
    }

    /// Returns once someone sleeps until a number of seconds after the fixture's instant; `nil` for no end.
    func waitForSleeper(seconds: Int64?) async {
        let until = seconds.map { Instant(seconds: Fixture.instant.seconds + $0) }
        while !state.withLock({ $0.sleepers.values.contains { $0.end == until } }) { await Task.yield() }
    }

    private func leave(_ start: Instant?, _ end: Instant?) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    let sleeper = Sleeper(start: start, end: end, continuation: continuation)
                    guard !Task.isCancelled, !sleeper.isDue(state.now) else { return true }
                    state.sleepers[number] = sleeper
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
                throwing: CancellationError())
        }
    }
}
