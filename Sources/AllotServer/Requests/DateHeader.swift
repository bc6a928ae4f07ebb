import AllotConfiguration
import Synchronization

/// The header `Date`, written once a second. `Sendable`.
final class DateHeader: Sendable {
    private let last = Mutex((seconds: Int64.min, text: ""))

    /// `Sun, 22 Nov 2026 11:02:01 GMT`
    func text(at now: Instant) -> String {
        last.withLock { last in
            if last.seconds != now.seconds { last = (now.seconds, HTTPDate.text(now)) }
            return last.text
        }
    }
}
