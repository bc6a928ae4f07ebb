import AllotServing

/// Keeps what a store counted for some seconds, and for longer if it takes longer to count, so that readers of pages
/// cost the store little, however many they are. Requests that come meanwhile wait for the same count.
actor CountCache<Key: Hashable & Sendable, Count: Sendable> {
    private struct Entry {
        let task: Task<Result<Count, RequestFailure>, Never>
        var expiry: ContinuousClock.Instant
    }

    private let capacity: Int
    private let lifetime: Duration
    private var entries: [Key: Entry] = [:]
    /// Keeps at most `capacity` counts; for the lifetime if they took next to no time.
    init(capacity: Int, lifetime: Duration = .seconds(5)) { (self.capacity, self.lifetime) = (capacity, lifetime) }

    /// The count of a key, by `counting` if none is kept. A failure is not kept.
    func count(
        of key: Key, by counting: @escaping @Sendable () async throws(RequestFailure) -> Count
    ) async throws(RequestFailure) -> Count {
        if let known = entries[key], ContinuousClock.now < known.expiry { return try await known.task.value.get() }
        let start = ContinuousClock.now
        let task = Task { () -> Result<Count, RequestFailure> in
            do throws(RequestFailure) { return .success(try await counting()) } catch { return .failure(error) }
        }
        if entries.count >= capacity { entries.removeAll() }
        entries[key] = Entry(task: task, expiry: start + .seconds(3600))
        let result = await task.value
        if entries[key]?.task == task {
            if case .success = result {
                entries[key]?.expiry = .now + max(lifetime, start.duration(to: .now) * 10)
            } else {
                entries[key] = nil
            }
        }
        return try result.get()
    }
}
