import Allot

extension ActivePlan {
    /// The next boundary of the plan, as `Plan.nextBoundary(after:)`. Complexity: O(log *n*).
    package func nextBoundary(after instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        return passed < plan.boundaries.count ? plan.boundaries[passed] : nil
    }

    /// The last boundary that has passed, no matter when the plan was loaded: servers agree on it. Returns `nil` if
    /// none has.
    package func lastBoundary(at instant: Instant) -> Instant? {
        let passed = passedBoundaries(at: instant)
        return passed > 0 ? plan.boundaries[passed - 1] : nil
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
