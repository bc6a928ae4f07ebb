import ServiceLifecycle
import Synchronization
import UnixSignals

/// The signal SIGHUP, on which files are read again.
package enum HangUp {
    private struct State {
        var count = 0
        var callers = Registrations<AsyncStream<Void>.Continuation>()
    }

    private static let state = Mutex(State())

    /// Hears all signals, for all callers.
    private static let hearing = Task.detached {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        return Task.detached {
            for await _ in signals {
                state.withLock { state in
                    state.count += 1
                    for caller in state.callers.all { caller.yield() }
                }
            }
        }
    }

    /// How many signals were heard: none before ``hear()`` is called.
    package static var count: Int { state.withLock { $0.count } }

    /// From now on signals are heard, and do not end the process. A program calls it before it reads the files.
    package static func hear() async { _ = await hearing.value }

    /// Calls `load` on each SIGHUP until shutdown. Each caller gets every signal, and a signal that arrives while
    /// `load` runs is not lost.
    ///
    /// - Parameter read: the ``count`` before the files were read: if there are more now, `load` is called at once.
    package static func each(since read: Int, _ load: () async -> Void) async {
        await hear()
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        let number = state.withLock { state in
            if state.count > read { continuation.yield() }
            return state.callers.add(continuation)
        }
        defer { state.withLock { $0.callers.remove(number) } }
        for await _ in signals.cancelOnGracefulShutdown() { await load() }
    }
}
