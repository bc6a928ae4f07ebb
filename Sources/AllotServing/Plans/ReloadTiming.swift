/// When a folder that is watched is loaded, and when the plan that was loaded replaces the current one.
///
/// A folder is loaded as soon as it is still for a moment, and the plan waits until the folder has been still for the
/// whole interval, as files may still be copied: loading a large folder takes longer than that, and small ones little.
/// `Sendable`.
struct ReloadTiming: Sendable {
    /// What to do next.
    enum Step: Sendable, Equatable {
        case wait
        /// Load the folder.
        case load
        /// Make what was loaded last the current plan.
        case publish
        /// Compare the state of the folder with the last one, as not every change is noticed.
        case poll
    }

    /// How long a folder has to be still, and the shortest time between two polls.
    let interval: Duration
    /// How often to look for changes.
    let tick: Duration
    /// How long a folder is still before it is loaded.
    private var patience: Duration
    /// When the last change was noticed that is not published yet.
    private var changed: Duration?
    private var isLoaded = false
    /// The time between two polls.
    private var pause: Duration
    /// The time of the next poll.
    private var nextPoll: Duration

    /// The share of the time that polls may take is one in this many.
    private static let pollShare = 20

    /// Begins at the time zero.
    init(interval: Duration) {
        self.interval = interval
        tick = min(interval, .milliseconds(25))
        patience = tick
        pause = interval
        nextPoll = interval
    }

    /// Decides what to do at a time.
    ///
    /// - Parameter hasChanged: Whether the folder has changed since the last call.
    mutating func step(at now: Duration, hasChanged: Bool) -> Step {
        if hasChanged {
            // A folder that changes again and again is not loaded each time.
            if isLoaded { patience = interval }
            (changed, isLoaded) = (now, false)
            return .wait
        }
        if let changed {
            if !isLoaded, now - changed >= patience {
                isLoaded = true
                return .load
            }
            guard isLoaded, now - changed >= interval else { return .wait }
            (self.changed, isLoaded, patience) = (nil, false, tick)
            // The folder was just read, and subscribers that fetch the new plan need the processor.
            nextPoll = max(nextPoll, now + pause)
            return .publish
        }
        return now >= nextPoll ? .poll : .wait
    }

    /// Notes how long the last poll took, and when it ended.
    ///
    /// - Parameter isHelped: Whether most changes are noticed without polls, so that these may be rare.
    mutating func polled(for duration: Duration, until now: Duration, isHelped: Bool) {
        pause = isHelped ? max(interval, duration * Self.pollShare) : interval
        nextPoll = now + pause
    }
}
