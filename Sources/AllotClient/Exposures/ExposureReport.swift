import Synchronization

/// What happens to exposures, for those who watch a reporter.
public enum ExposureReport: Sendable {
    /// An event was made and is kept until the server has it.
    case recorded(ExposureEvent)
    /// So many events were found that another run of the app, or a process that has ended, did not send.
    case adopted(count: Int)
    /// The server has so many events more, of which it knew `duplicates` already.
    case sent(count: Int, duplicates: Int)
    /// No event was made.
    case refused(ExposureRefusal)
    /// The server will never take this event; it is forgotten.
    case dropped(ExposureEvent, reason: String)
    /// Sending failed; nothing is lost. `retryIn` is the delay before the next attempt, `nil` if the next run makes it.
    case failed(RequestError, retryIn: Duration?)
    /// Events cannot be kept on disk, or cannot be read from there. Those that were recorded are held in memory, and sent
    /// from there.
    case notStored(StoreError)
}

/// Why an exposure was not recorded.
public struct ExposureRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why not.
    public enum Reason: Sendable, Hashable {
        /// The user lacks the attribute that the experiment randomises, or it is no text or whole number of 1 to 1,024
        /// bytes without U+0000.
        case noUnit(String)
        /// The event is larger than the server takes.
        case tooLarge
        /// So many events wait that no more are kept.
        case queueFull
        /// The reporter was shut down.
        case shutDown
    }

    /// The assignment whose exposure it is.
    public let assignment: ExperimentAssignment
    /// Why not.
    public let reason: Reason

    /// What happened, and what to do.
    public var description: String {
        let why =
            switch reason {
            case .noUnit(let unit):
                "the user has no \(unit) that can be a unit ID; give it as an attribute, as text or a whole number"
            case .tooLarge: "the event is too large; shorten the keys of the experiment and its variant"
            case .queueFull: "too many events wait to be sent; see whether the server can be reached"
            case .shutDown: "the reporter was shut down"
            }
        return "exposure to \(assignment.experiment)=\(assignment.variant) not recorded: \(why)"
    }
}

/// Tells what happens; what happened before anyone listened is told to the first who does.
final class ExposureReports: Sendable {
    private let broadcast = Broadcast<ExposureReport>()
    private let early = Mutex<[ExposureReport]?>([])

    /// The most that is kept for the first listener.
    private static let limit = 100

    func send(_ report: ExposureReport) {
        early.withLock { early in
            guard let count = early?.count else { return broadcast.send(report) }
            if count < Self.limit { early?.append(report) }
        }
    }

    func listen() -> AsyncStream<ExposureReport> {
        // Under the lock, so that what is sent meanwhile comes after what was missed, and to all in one order.
        early.withLock { early in
            let stream = broadcast.listen()
            for report in early ?? [] { broadcast.send(report) }
            early = nil
            return stream
        }
    }

    func finish() {
        broadcast.finish()
    }
}
