import Synchronization

/// The snapshot in force, and those who wait for the next. It outlives no client: they all end with it.
final class ConfigurationHub: Sendable {
    private let snapshot: Mutex<Configuration>
    private let changes = Broadcast<Void>()

    init(_ configuration: Configuration) {
        snapshot = Mutex(configuration)
    }

    /// The snapshot in force.
    var current: Configuration {
        snapshot.withLock { $0 }
    }

    /// Puts a snapshot in force.
    func replace(_ configuration: Configuration) {
        // What it replaces is let go of outside of the lock.
        _ = snapshot.withLock { snapshot in
            let former = snapshot
            snapshot = configuration
            return former
        }
        changes.send(())
    }

    /// Wakes after each replacement from now on; several may be one.
    func wakes() -> AsyncStream<Void> {
        changes.listen(buffering: .bufferingNewest(1))
    }

    /// How many listen.
    var listenerCount: Int { changes.listenerCount }

    /// Ends all listening.
    func finish() {
        changes.finish()
    }
}
