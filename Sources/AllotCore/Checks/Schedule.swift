// Check: the schedule of a running experiment.

/// When an experiment is live: `starts <= t < ends`.
package struct Schedule: Sendable {
    package let starts: Instant?
    package let ends: Instant?

    @inlinable package init(starts: Instant?, ends: Instant?) {
        self.starts = starts
        self.ends = ends
    }

    var isLimited: Bool { starts != nil || ends != nil }

    /// Returns the reason why no unit is enrolled at an instant, `nil` while the experiment is live.
    package func reason(at instant: Instant) -> Reason? {
        if let starts, instant < starts { return .notStarted }
        if let ends, instant >= ends { return .ended }
        return nil
    }

    package func isDisjoint(from other: Schedule) -> Bool {
        func isOver(_ ends: Instant?, before starts: Instant?) -> Bool {
            guard let ends, let starts else { return false }
            return ends <= starts
        }
        return isOver(ends, before: other.starts) || isOver(other.ends, before: starts)
    }
}

extension DecisionLoop {
    /// A running experiment enrols from its start until before its end. The schedule of a concluded one no longer
    /// counts.
    @inline(never) func schedule<R: Recorder>(_ index: Int, row: Int, _ recorder: inout R) -> Decision? {
        guard compiled.experiments[index].status == .running else { return nil }
        recorder.schedule()
        return compiled.schedules[index].reason(at: instant(of: row)).map(Decision.none)
    }
}
