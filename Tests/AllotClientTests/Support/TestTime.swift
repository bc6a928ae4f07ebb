import AllotClient
import Foundation
import Synchronization

/// A clock that stands still until it is set, and a record of who has slept, which takes no time.
final class TestTime: Sendable {
    private let state: Mutex<(now: Date, sleeps: [Duration])>

    init(_ seconds: Double = 1_795_262_400) { state = Mutex((Date(timeIntervalSince1970: seconds), [])) }

    var now: Date { state.withLock { $0.now } }
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func advance(_ seconds: Double) { state.withLock { $0.now += seconds } }

    func sleep(_ duration: Duration) { state.withLock { $0.sleeps.append(duration) } }

    static let year = 365.25 * 86_400
}

extension ClientOptions {
    /// Options under a test's time, and with the middle of all random numbers.
    func under(_ time: TestTime) -> ClientOptions {
        var options = self
        options.clock.now = { time.now }
        options.clock.sleep = { time.sleep($0) }
        options.clock.random = { 0.5 }
        return options
    }
}
