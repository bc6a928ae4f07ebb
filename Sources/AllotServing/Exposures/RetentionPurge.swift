/// The exposures that the next run of a purge deletes: only those that a run before it announced, and at most a tenth
/// of all, from before an instant, so that variants stay comparable. Ages count from the newest exposure that was
/// received, so that a wrong clock deletes nothing. Times are in milliseconds since 1970, UTC.
struct RetentionPurge {
    private let retention: Int64
    /// The time before which the last run announced to delete: set it once the announcement is made.
    var announced: Int64?
    /// Keeps exposures for a time, in whole seconds.
    init(_ retention: Duration) { self.retention = retention.components.seconds * 1000 }

    /// Begins a run. Returns the times before which exposures are deleted in this run, if any, and in the next.
    func next(now: Int64, newest: Int64) -> (due: Int64?, announced: Int64) {
        let end = min(now, newest) - retention
        return (announced.map { min($0, end) }, end)
    }

    static func limit(of total: Int) -> Int { max(total / 10, 1) }

    /// The time before which one run deletes: the end of what is due, or an earlier one if that is more than the limit.
    /// `count` gives the exposures before a time, and is called O(log *n*) times for *n* milliseconds.
    static func bound(
        _ end: Int64, earliest: Int64, limit: Int, _ count: (Int64) async throws -> Int
    ) async rethrows -> Int64 {
        guard try await count(end) > limit else { return end }
        // Not more than the limit is before `low`, and more is before `high`.
        var (low, high) = (earliest, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let found = try await count(middle)
            if found > limit {
                high = middle
            } else {
                low = middle
                // Near enough: counting takes long in a large store.
                if found > limit / 2 { break }
            }
        }
        return low == earliest ? high : low
    }
}
