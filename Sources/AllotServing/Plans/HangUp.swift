import ServiceLifecycle
import Synchronization
import UnixSignals

/// The signal SIGHUP, on which files are read again.
package enum HangUp {
    private struct State {
        var count = 0
        /// For each part of the program that reads files again, how many signals had come when its last load began.
        var loaded = Registrations<Int>()
        var observers = Registrations<AsyncStream<Bool>.Continuation>()
        var isReloading: Bool { loaded.all.contains { $0 < count } }
        func tell(_ isReloading: Bool) { for observer in observers.all { observer.yield(isReloading) } }
    }

    private static let state = Mutex(State())

    private static let hearing = Task.detached {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        return Task.detached {
            for await _ in signals {
                state.withLock { state in
                    state.count += 1
                    state.tell(true)
                }
            }
        }
    }

    /// How many signals were heard: none before ``hear()`` is called.
    package static var count: Int { state.withLock { $0.count } }
    /// From now on signals are heard, and do not end the process. A program calls it before it reads the files.
    package static func hear() async { _ = await hearing.value }

    /// Calls `load` on SIGHUP until shutdown, once more for all signals that arrive while it runs, and at once if some
    /// came after the number that was `read` before the files were.
    package static func each(since read: Int, _ load: () async -> Void) async {
        await hear()
        let number = state.withLock { $0.loaded.add(read) }
        defer { state.withLock { $0.loaded.remove(number) } }
        var loaded = read
        for await _ in reloads().cancelOnGracefulShutdown() {
            let count = Self.count
            // One load reads what all signals meant that had come before it.
            guard count > loaded else { continue }
            await load()
            loaded = count
            state.withLock { state in
                state.loaded.replace(number, with: count)
                if !state.isReloading { state.tell(false) }
            }
        }
    }

    /// Whether files are being read again: now, then `true` at each SIGHUP, and `false` when every caller of
    /// ``each(since:_:)`` has read its files since the last one.
    package static func reloads() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                continuation.yield(state.isReloading)
                return state.observers.add(continuation)
            }
            continuation.onTermination = { _ in state.withLock { $0.observers.remove(number) } }
        }
    }
}
