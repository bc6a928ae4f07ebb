import AllotConfiguration
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends exposures to `POST /exposures` of an Allot server, with `URLSession`. `Sendable`.
public final class URLSessionExposureSender: ExposureSender {
    private let requests: ServerRequest
    private let timeout: Duration
    private let session = HTTPSession()

    /// The maximal size of an answer, which names each event at most once.
    private static let answerLimit = 4 << 20

    /// Sends to a server, at a URL as that of ``URLSessionDownloader``, with a token of the scope `exposures`.
    public init(server: URL, token: AccessToken? = nil, timeout: Duration = .seconds(30)) {
        requests = ServerRequest(server: server, token: token)
        self.timeout = timeout
    }

    deinit { session.finish() }

    /// Posts the events and reads the answer.
    public func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
        let answer = try await session.answer(
            requests.exposures(events), statuses: 200...299, limit: Self.answerLimit, timeout: timeout)
        let status = answer.response.statusCode
        let serverTime = answer.response.value(forHTTPHeaderField: "Date").flatMap(HTTPFields.date)
        guard let answer = ExposureAnswer(answer.body, serverTime: serverTime) else {
            let problem = "answered \(status) with a body that is not an answer to exposures; check the URL"
            throw RequestError(.malformed, "\(HTTPOrigin(requests.server)?.description ?? "the server") \(problem)")
        }
        return answer
    }
}

extension ExposureAnswer {
    private typealias Key = ExposureMessage.Answer

    /// Reads `{"stored": 1, "duplicates": 0, "errors": [{"index": 1, "error": "…", "retry": false}]}`, where `retry` is
    /// true unless it is given. Returns `nil` for anything else.
    init?(_ body: [UInt8], serverTime: Date?) {
        guard let members = (try? JSONValue(parsing: body))?.asObject, let stored = members.count(Key.stored),
            let duplicates = members.count(Key.duplicates), let errors = (members[Key.errors] ?? []).asArray
        else { return nil }
        var failures: [Int: Failure] = [:]
        for error in errors {
            guard let failure = error.asObject, let index = failure.count(Key.index) else { return nil }
            let message = failure.text(Key.error) ?? "the server gives no reason"
            failures[index] = failure[Key.retry] == false ? .rejected(message) : .postponed(message)
        }
        // Skipping an error would count its event as stored.
        guard failures.count == errors.count else { return nil }
        self.init(stored: stored, duplicates: duplicates, failures: failures, serverTime: serverTime)
    }
}

extension JSONObject {
    fileprivate func count(_ name: String) -> Int? { (integer(name) as Int?).flatMap { $0 >= 0 ? $0 : nil } }
}
