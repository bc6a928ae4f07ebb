import AllotConfiguration
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends exposures to `POST /exposures` of an Allot server. `Sendable`.
public final class URLSessionExposureSender: ExposureSender {
    private let requests: ServerRequest
    private let origin: String
    private let timeout: Duration
    private let session: HTTPSession
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The most bytes of an answer: it names at most each event that was sent.
    private static let answerLimit = 4 << 20

    /// Sends to a server.
    ///
    /// - Parameters:
    ///   - server: where the server's routes begin: `https://example.org/prefix`; no query.
    ///   - token: the bearer token of the scope `exposures`; `nil` for a server that asks for none.
    ///   - timeout: how long a request may take in all.
    public convenience init(server: URL, token: String? = nil, timeout: Duration = .seconds(30)) {
        self.init(server: server, token: token, timeout: timeout, sleep: { try await Task.sleep(for: $0) })
    }

    init(
        server: URL, token: String?, timeout: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        requests = ServerRequest(server: server, token: token)
        origin = HTTPOrigin(server)?.description ?? "the server"
        self.timeout = timeout
        self.sleep = sleep
        session = HTTPSession { _ in }
    }

    deinit {
        session.finish()
    }

    public func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
        let answer = try await session.answer(
            requests.exposures(events), origin: origin, limit: Self.answerLimit, timeout: timeout, sleep: sleep)
        let status = answer.response.statusCode
        guard (200...299).contains(status) else {
            throw RequestError(answer.response, body: answer.body, origin, now: Date())
        }
        let serverTime = answer.response.value(forHTTPHeaderField: "Date").flatMap(HTTPFields.date)
        guard let answer = ExposureAnswer(answer.body, serverTime: serverTime) else {
            throw RequestError(
                .malformed, "\(origin) answered \(status) with something that is no answer to exposures")
        }
        return answer
    }
}

extension ExposureAnswer {
    private typealias Key = ExposureMessage.Answer

    /// Reads a server's answer, `{"stored": 2, "duplicates": 0, "errors": [{"index": 1, "error": "…"}]}`; `nil` for
    /// anything else.
    init?(_ body: [UInt8], serverTime: Date?) {
        guard case .object(let members)? = try? JSONValue(parsing: body), let stored = members.count(Key.stored),
            let duplicates = members.count(Key.duplicates)
        else { return nil }
        var failures: [Failure] = []
        if let errors = members[Key.errors] {
            guard case .array(let elements) = errors else { return nil }
            for element in elements {
                // Passing over one would take an event for stored that is not.
                guard case .object(let failure) = element, let index = failure.count(Key.index) else { return nil }
                failures.append(Failure(index: index, message: failure.text(Key.error) ?? "the server gives no reason"))
            }
        }
        self.init(stored: stored, duplicates: duplicates, failures: failures, serverTime: serverTime)
    }
}

extension JSONObject {
    /// The whole number under a name, 0 or more; `nil` for anything else.
    fileprivate func count(_ name: String) -> Int? {
        guard case .number(let number)? = self[name], let count = Int(number.text), count >= 0 else { return nil }
        return count
    }
}
