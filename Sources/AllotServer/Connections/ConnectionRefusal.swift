import AllotConfiguration
import AllotCore
import AllotServing
import Logging
import Metrics
import Synchronization

/// The refusal of a request before any route sees it. The connection, or the stream of HTTP/2, ends with the answer.
struct ConnectionRefusal: Error {
    enum Reason: String, CaseIterable {
        case host
        case transferCoding = "transfer_coding"
        case expectation
        case target
        case fields
        case syntax
        case bodySize = "body_size"
        case bodyTime = "body_time"
        case connections
        /// One address has too many connections.
        case address
        case unread
        /// There is no descriptor for another connection.
        case descriptors
    }

    let reason: Reason
    let message: String
    static let unread = ConnectionRefusal(.unread, "the client does not read its answer")
    static let longTarget = ConnectionRefusal(.target, "the target has more than \(ConnectionLimits.fieldBytes) bytes")
    static let largeHead = ConnectionRefusal(
        .fields,
        "the head has a field of more than \(ConnectionLimits.fieldBytes) bytes, more than "
            + "\(ConnectionLimits.fieldCount) fields, or more than \(ConnectionLimits.fieldsBytes) bytes")
    static let unmetExpectation = ConnectionRefusal(
        .expectation, "the only expectation that is met is 100-continue; leave the field Expect out")

    init(_ reason: Reason, _ message: String) { (self.reason, self.message) = (reason, message) }

    /// The answer's status; `nil` if the connection is closed without one.
    var status: Int? {
        switch reason {
        case .host, .syntax: 400
        case .transferCoding: 501
        case .expectation: 417
        case .target: 414
        case .fields: 431
        case .bodySize: 413
        case .bodyTime: 408
        case .connections: 503
        case .address, .unread, .descriptors: nil
        }
    }

    var answer: HTTPAnswer? {
        guard let status else { return nil }
        var answer = HTTPAnswer(json: ["error": .string(message)], status: status)
        if status == 503 { answer.headers.append(("Retry-After", "1")) }
        return answer
    }
}

/// Counts and logs what connections are refused.
package final class RefusalLog: Sendable {
    let date = DateHeader()
    private let counters: [ConnectionRefusal.Reason: Counter]
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
        counters = Dictionary(
            uniqueKeysWithValues: ConnectionRefusal.Reason.allCases.map {
                ($0, Counter(label: MetricName.refusals, dimensions: [("reason", $0.rawValue)]))
            })
    }

    func note(_ refusal: ConnectionRefusal) {
        counters[refusal.reason]?.increment()
        logger.debug("refused: \(refusal.message)", metadata: ["reason": "\(refusal.reason.rawValue)"])
    }
}

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
