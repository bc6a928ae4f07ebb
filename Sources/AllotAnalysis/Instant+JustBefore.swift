import AllotConfiguration

extension Instant {
    /// The last instant before this one.
    var justBefore: Instant {
        nanoseconds > 0
            ? Instant(seconds: seconds, nanoseconds: nanoseconds - 1)
            : Instant(seconds: seconds - 1, nanoseconds: 999_999_999)
    }
}
