import AllotConfiguration
import AllotFiles

extension Instant {
    /// The current time of the system's clock. The engine itself never reads it.
    public static var now: Instant {
        let now = SystemClock.now
        return Instant(seconds: now.seconds, nanoseconds: now.nanoseconds)
    }
}
