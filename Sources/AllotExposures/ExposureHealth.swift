/// Whether a store can store. `Sendable`.
public enum ExposureStoreHealth: Sendable, Hashable {
    /// The last attempt to store succeeded.
    case healthy
    /// The last attempt failed, and all since a time, in milliseconds since 1970, UTC. A store that was found damaged
    /// stays so.
    case failing(message: String, since: Int64)
}

struct ExposureHealthRecord {
    private(set) var health = ExposureStoreHealth.healthy
    /// The exposures that were not stored because the store failed.
    private(set) var failedCount = 0
    /// The damage that was found, by a read too: it stays.
    private(set) var damage: ExposureStoreError?

    mutating func succeed() {
        if damage == nil { health = .healthy }
    }

    mutating func fail(_ error: ExposureStoreError, at now: Int64, exposures: Int = 0) {
        failedCount += exposures
        guard damage == nil else { return }
        if case .damaged = error { damage = error }
        var start = now
        if case .failing(_, let since) = health { start = since }
        health = .failing(message: error.description, since: start)
    }
}
