import Allot

extension ActivePlan {
    /// The next boundary of the plan, as `Plan.nextBoundary(after:)`. Complexity: O(log *n*).
    package func nextBoundary(after instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        return passed < plan.boundaries.count ? plan.boundaries[passed] : nil
    }

    /// The last boundary that has passed since the plan was loaded. Returns `nil` if none has.
    package func lastBoundary(at instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        guard passed > 0, plan.boundaries[passed - 1] > loadedAt else { return nil }
        return plan.boundaries[passed - 1]
    }

    /// The number of boundaries at or before an instant.
    private func passedBoundaries(at instant: Instant) -> Int {
        var (low, high) = (0, plan.boundaries.count)
        while low < high {
            let middle = (low + high) / 2
            if plan.boundaries[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
