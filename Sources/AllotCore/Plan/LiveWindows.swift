import AllotConfiguration

/// The windows of a running experiment within its schedule: each begins at a boundary.
struct LiveWindows: Sendable {
    let period: Period
    let schedule: Schedule

    /// The start of the next window after an instant. Returns `nil` if none begins while the experiment is live.
    func next(after instant: Instant) -> Instant? {
        // The schedule's own boundaries come before and after.
        guard schedule.reason(at: instant) == nil, let number = period.number(at: instant),
            let next = period.start(of: number + 1), schedule.reason(at: next) == nil
        else { return nil }
        return next
    }

    /// The start of the window that contains an instant. Returns `nil` while the experiment is not live.
    func last(at instant: Instant) -> Instant? {
        guard schedule.reason(at: instant) == nil else { return nil }
        return period.number(at: instant).flatMap(period.start(of:))
    }
}
