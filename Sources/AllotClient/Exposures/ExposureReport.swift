import AllotConfiguration
import AllotFiles

/// An event in the life of exposures; see ``ExposureReporter/events``.
public enum ExposureReport: Sendable {
    /// An event was created; it is kept until the server has answered it.
    case recorded(ExposureEvent)
    /// The given number of events was found that an earlier run of the app, or a process that has ended, did not send.
    case adopted(count: Int)
    /// The server has stored the given number of events, `duplicates` of which it had already.
    case sent(count: Int, duplicates: Int)
    /// No event was created. While too many events wait, each reading tries again, and is refused again.
    case refused(ExposureRefusal)
    /// The server will never accept this event; it was deleted.
    case dropped(ExposureEvent, reason: String)
    /// The server does not accept the given number of events now; nothing is lost. `reason` is the server's for one of
    /// them. They are sent again after a delay that doubles each time; other events do not wait for them.
    case postponed(count: Int, reason: String)
    /// Sending failed; nothing is lost. `retryIn` is the delay before the next attempt, `nil` if the next run makes it.
    case failed(RequestError, retryIn: Duration?)
    /// Events could not be stored on disk or read from there. Recorded ones are kept in memory, and sent from there.
    case notStored(StoreError)
}

extension ExposureReport: CustomStringConvertible {
    /// The report on one line and, where something is wrong, the fix; without IDs of units.
    public var description: String { PrintableText(line: text).description }

    private var text: String {
        switch self {
        case .recorded(let event): "\(event) recorded"
        case .adopted(let count): "\(counted(count, "exposure")) of an earlier run found"
        case .sent(let count, let duplicates):
            "\(counted(count, "exposure")) sent\(duplicates > 0 ? ", \(duplicates) of which the server had" : "")"
        case .refused(let refusal): "\(refusal)"
        case .dropped(let event, let reason): "\(event) dropped, because the server never accepts it: \(reason)"
        case .postponed(let count, let reason):
            "\(counted(count, "exposure")) not accepted now, and sent again later: \(reason)"
        case .failed(let error, let delay):
            "exposures not sent: \(error); \(delay.map { "the next attempt is in \($0)" } ?? "the next run sends them")"
        case .notStored(let error): "\(error)"
        }
    }
}

/// The reason why an exposure was not recorded.
public struct ExposureRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The user lacks the attribute that the experiment randomises, or its value is not a text or whole number of 1
        /// to 1,024 bytes without U+0000.
        case noUnit(String)
        case tooLarge
        case queueFull
        case shutDown
    }

    package let assignment: ExperimentAssignment
    package let reason: Reason

    /// The refusal, and its remedy.
    public var description: String {
        let why =
            switch reason {
            case .noUnit(let unit):
                "the user has no \(unit) that can be a unit ID; give it as an attribute, as text or a whole number"
            case .tooLarge: "the event is too large; shorten the keys of the experiment and its variant"
            case .queueFull: "too many events wait to be sent; check whether the server can be reached"
            case .shutDown: "the reporter was shut down"
            }
        return "exposure to \(assignment.experiment)=\(assignment.variant) not recorded: \(why)"
    }
}

/// Sends reports to their subscribers. The first subscriber also receives the reports before its subscription.
final class ExposureReports: Sendable {
    private let broadcast = Broadcast<ExposureReport>()
    private let early = Lock<[ExposureReport]?>([])

    private static let limit = 100

    func send(_ report: ExposureReport) {
        early.withLock { early in
            guard let count = early?.count else { return broadcast.send(report) }
            if count < Self.limit { early?.append(report) }
        }
    }

    func subscribe(
        buffering: AsyncStream<ExposureReport>.Continuation.BufferingPolicy = .bufferingNewest(256)
    ) -> AsyncStream<ExposureReport> {
        // Under the lock, so that all subscribers receive reports in one order, after the early ones.
        early.withLock { early in
            let stream = broadcast.subscribe(buffering: buffering)
            for report in early ?? [] { broadcast.send(report) }
            early = nil
            return stream
        }
    }

    func finish() { broadcast.finish() }
}
