/// Whether a store can store. `Sendable`.
public enum ExposureStoreHealth: Sendable, Hashable {
    /// The last attempt to store succeeded.
    case healthy
    /// The last attempt failed, and all since a time, in milliseconds since 1970, UTC.
    case failing(message: String, since: Int64)
}

/// What a store knows of its own state.
struct ExposureHealthRecord {
    private(set) var health = ExposureStoreHealth.healthy
    /// The exposures that were not stored because the store failed.
    private(set) var failedCount = 0

    mutating func succeed() {
        health = .healthy
    }

    mutating func fail(_ message: String, at now: Int64, exposures: Int = 0) {
        failedCount += exposures
        if case .failing(_, let since) = health {
            health = .failing(message: message, since: since)
        } else {
            health = .failing(message: message, since: now)
        }
    }
}
