import ServiceLifecycle
import UnixSignals

/// The signal SIGHUP, on which files are read again.
package enum HangUp {
    /// Calls `load` on each SIGHUP until shutdown. Each caller gets every signal, and a signal that arrives while
    /// `load` runs is not lost.
    package static func each(_ load: () async -> Void) async {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { await load() }
    }
}
