import AllotConfiguration
import AllotServing
import HTTPTypes
import Logging
import Metrics
import NIOCore

/// The refusal of a request before any route sees it. The connection, or the stream of HTTP/2, ends with the answer.
struct ConnectionRefusal: Error {
    /// The reasons, which label a metric.
    enum Reason: String, CaseIterable {
        case host
        case transferCoding = "transfer_coding"
        case expectation
        case target
        case fields
        case syntax
        case bodySize = "body_size"
        case bodyTime = "body_time"
        /// All connections are in use.
        case connections
        /// One address has too many connections.
        case address
        /// The client does not read its answer.
        case unread
        /// There is no descriptor for another connection.
        case descriptors
    }

    let reason: Reason
    let message: String
    /// Whether it answers a request with `HEAD`.
    var isForHead = false

    static let unread = ConnectionRefusal(.unread, "the client does not read its answer")
    static let longTarget = ConnectionRefusal(
        .target, "the target has more than \(ConnectionLimits.fieldBytes) bytes")
    static let largeHead = ConnectionRefusal(
        .fields,
        "the head has a field of more than \(ConnectionLimits.fieldBytes) bytes, more than "
            + "\(ConnectionLimits.fieldCount) fields, or more than \(ConnectionLimits.fieldsBytes) bytes")
    static let unmetExpectation = ConnectionRefusal(
        .expectation, "the only expectation that is met is 100-continue; leave the field Expect out")

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The answer's status; `nil` if the connection is closed without one.
    var status: HTTPResponse.Status? {
        switch reason {
        case .host, .syntax: .badRequest
        case .transferCoding: .notImplemented
        case .expectation: .expectationFailed
        case .target: .uriTooLong
        case .fields: .requestHeaderFieldsTooLarge
        case .bodySize: .contentTooLarge
        case .bodyTime: .requestTimeout
        case .connections: .serviceUnavailable
        case .address, .unread, .descriptors: nil
        }
    }

    /// The answer; `nil` if the connection is closed without one.
    var response: (head: HTTPResponse, body: ByteBuffer)? {
        guard let status else { return nil }
        let body = ByteBuffer(bytes: JSONValue.object(["error": .string(message)]).canonicalBytes)
        var head = HTTPResponse(
            status: status,
            headerFields: [
                .contentType: "application/json", .cacheControl: "no-store", .contentLength: "\(body.readableBytes)",
            ])
        if status == .serviceUnavailable { head.headerFields[.retryAfter] = "1" }
        return (head, body)
    }
}

/// Counts and logs what connections are refused.
package final class RefusalLog: Sendable {
    /// The date of answers.
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

    /// Counts one refusal.
    func note(_ refusal: ConnectionRefusal) {
        counters[refusal.reason]?.increment()
        logger.debug("refused: \(refusal.message)", metadata: ["reason": "\(refusal.reason.rawValue)"])
    }
}
