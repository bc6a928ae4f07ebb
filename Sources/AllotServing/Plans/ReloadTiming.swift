/// When a folder that is watched is loaded, and when the plan that was loaded replaces the current one. `Sendable`.
///
/// A folder is loaded as soon as it is still for a moment, and the plan waits until it has been still for the whole
/// interval, as files may still be copied. One that does not rest counts once two loads in a row find it alike.
struct ReloadTiming: Sendable {
    enum Step: Sendable, Equatable {
        case wait
        case load
        case publish
        /// Compare the state of the folder with the last one, as not every change is noticed.
        case poll
        /// Load the folder although it does not rest, and call ``ReloadTiming/sampled(_:for:until:)``.
        case sample
        /// Say that the folder does not rest, and that its content is another each time, or cannot be read.
        case report(isRead: Bool)
    }

    /// The time from a change until it is published or reported, unless two loads and their pause take longer.
    static let limit = Duration.seconds(5)

    private struct Unrest: Sendable {
        let start: Duration
        var nextSample: Duration
        /// The content that the last sample has found; `nil` if it found nothing.
        var fingerprint: Int?
        var isSampled = false
        var isReported = false
    }

    /// How long a folder has to be still, and the shortest time between two polls.
    let interval: Duration
    let tick: Duration
    /// How long a folder is still before it is loaded.
    private var patience: Duration
    /// When the last change was noticed that is not published yet.
    private var changed: Duration?
    private var isLoaded = false
    private var unrest: Unrest?
    private var pause: Duration
    private var nextPoll: Duration
    /// The share of the time that polls may take is one in this many.
    private static let pollShare = 20
    /// After a sample, as many times its duration pass until the next one.
    private static let samplePause = 2
    /// The samples that fit between the first one and the limit.
    private static let sampleCount = 3

    init(interval: Duration) {
        self.interval = interval
        tick = min(interval, .milliseconds(25))
        patience = tick
        pause = interval
        nextPoll = interval
    }

    /// Decides what to do at a time, if the folder has changed since the last call or not.
    mutating func step(at now: Duration, hasChanged: Bool) -> Step {
        if hasChanged {
            // A folder that changes again and again is not loaded each time.
            if isLoaded { patience = interval }
            (changed, isLoaded) = (now, false)
            beginUnrest(at: now)
        } else if let changed {
            if !isLoaded, now - changed >= patience {
                isLoaded = true
                return .load
            }
            if isLoaded, now - changed >= interval { return publish(at: now) }
        } else if now >= nextPoll {
            return .poll
        }
        return unrest.map { now >= $0.nextSample } == true ? .sample : .wait
    }

    /// Notes which content a sample has found, `nil` for none, and its time. Returns the step that follows from it.
    mutating func sampled(_ fingerprint: Int?, for duration: Duration, until now: Duration) -> Step {
        guard var unrest else { return .wait }
        if let fingerprint, fingerprint == unrest.fingerprint { return publish(at: now) }
        // One sample alone says nothing: those of a large folder take longer than the limit.
        let isLate = now - unrest.start >= Self.limit && unrest.isSampled && !unrest.isReported
        (unrest.fingerprint, unrest.isSampled) = (fingerprint, true)
        unrest.nextSample = now + max(interval, duration * Self.samplePause)
        unrest.isReported = unrest.isReported || isLate
        self.unrest = unrest
        return isLate ? .report(isRead: fingerprint != nil) : .wait
    }

    /// Notes the time of the last poll, whether most changes are noticed without polls, so that these may be rare, and
    /// whether the folder has changed since the poll before, and was not loaded.
    mutating func polled(for duration: Duration, until now: Duration, isHelped: Bool, hasChanged: Bool) {
        pause = isHelped ? max(interval, duration * Self.pollShare) : interval
        nextPoll = now + pause
        if hasChanged { beginUnrest(at: now) } else { unrest = nil }
    }

    private mutating func beginUnrest(at now: Duration) {
        guard unrest == nil else { return }
        unrest = Unrest(start: now, nextSample: now + max(Self.limit - interval * Self.sampleCount, .zero))
    }

    private mutating func publish(at now: Duration) -> Step {
        (changed, isLoaded, patience, unrest) = (nil, false, tick, nil)
        // The folder was just read, and subscribers that fetch the new plan need the processor.
        nextPoll = max(nextPoll, now + pause)
        return .publish
    }
}
