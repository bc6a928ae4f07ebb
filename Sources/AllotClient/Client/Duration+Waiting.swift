extension Duration {
    /// A wait that somebody else has asked for, in seconds: at least none, and at most a day, whatever they say.
    init(waiting seconds: Double) {
        // No number is greater than NaN, and none is smaller.
        self = .seconds(seconds > 0 ? min(seconds, FetchSchedule.longestRetryAfter) : 0)
    }
}
