import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A complete response.
struct HTTPAnswer: Sendable {
    let response: HTTPURLResponse
    let body: [UInt8]
}

/// One request and its response, up to a maximal size.
final class HTTPTransfer: HTTPReceiver {
    typealias Outcome = Result<HTTPAnswer, RequestError>

    private struct State {
        var task: URLSessionDataTask?
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var response: HTTPURLResponse?
        var body: [UInt8] = []
    }

    /// The maximal number of bytes that are read of an error's body.
    private static let errorLimit = 64 * 1024

    private let state = Mutex(State())
    private let origin: String
    private let limit: Int

    init(origin: String, limit: Int) {
        self.origin = origin
        self.limit = limit
    }

    /// Starts a task and waits for the response, or for ``fail(_:)``.
    func answer(_ makeTask: () -> URLSessionDataTask) async -> Outcome {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Outcome? in
                if state.outcome == nil { state.continuation = continuation }
                return state.outcome
            }
            if let early { return continuation.resume(returning: early) }
            let task = makeTask()
            let isWanted = state.withLock { state in
                if state.outcome == nil { state.task = task }
                return state.outcome == nil
            }
            // A session never releases a task that was not started, even if it was cancelled.
            task.resume()
            if !isWanted { task.cancel() }
        }
    }

    /// Ends the transfer with an error.
    func fail(_ error: RequestError) {
        let task = state.withLock { $0.outcome == nil ? $0.task : nil }
        end(.failure(error))
        task?.cancel()
    }

    func receive(_ response: HTTPURLResponse) {
        state.withLock { state in
            state.response = response
            state.body = []
        }
        if isPlain(response), Self.isSuccess(response), response.expectedContentLength > Int64(limit) {
            fail(tooLarge)
        }
    }

    func receive(_ bytes: Data) {
        let isTooLarge = state.withLock { state -> Bool in
            guard state.outcome == nil else { return false }
            guard state.response.map(Self.isSuccess) ?? false else {
                state.body += bytes.prefix(Self.errorLimit - state.body.count)
                return false
            }
            guard bytes.count <= limit - state.body.count else { return true }
            state.body += bytes
            return false
        }
        if isTooLarge { fail(tooLarge) }
    }

    func end(_ error: (any Error)?) {
        let (response, body) = state.withLock { ($0.response, $0.body) }
        if let error, response.map(Self.isSuccess) ?? true {
            end(.failure(RequestError(error, origin)))
        } else if let response {
            // A status says enough, even if its body is incomplete. Not all systems notice that a connection ended in a
            // body.
            if isPlain(response), Self.isSuccess(response), response.expectedContentLength > Int64(body.count) {
                end(
                    .failure(
                        RequestError(
                            .unreachable,
                            "\(origin) sent \(body.count) of \(response.expectedContentLength) bytes; ask again later"))
                )
            } else {
                end(.success(HTTPAnswer(response: response, body: body)))
            }
        } else {
            end(.failure(RequestError(.unreachable, "\(origin) did not answer over HTTP; check the URL")))
        }
    }

    private func end(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            // A continuation that does not exist yet finds the outcome later.
            defer {
                state.continuation = nil
                state.task = nil
                state.body = []
            }
            return state.continuation
        }
        continuation?.resume(returning: outcome)
    }

    private var tooLarge: RequestError {
        RequestError(.tooLarge, "\(origin) sent more than the limit of \(limit) bytes; raise the limit")
    }

    /// Whether the body is the requested one, not that of an error.
    private static func isSuccess(_ response: HTTPURLResponse) -> Bool {
        (200...299).contains(response.statusCode)
    }

    /// Whether the declared length is that of the body as received.
    private func isPlain(_ response: HTTPURLResponse) -> Bool {
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        return encoding.lowercased() == "identity"
    }
}

extension HTTPSession {
    /// Sends a request once and waits for the complete response.
    ///
    /// - Parameters:
    ///   - origin: the server, for messages.
    ///   - limit: the maximal size of a successful response's body.
    ///   - timeout: the maximal time for the whole response.
    func answer(
        _ request: URLRequest, origin: String, limit: Int, timeout: Duration
    ) async throws(RequestError) -> HTTPAnswer {
        var request = request
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        // The deadline below applies to the whole response; the system's applies to each part.
        request.timeoutInterval = max(timeout / .seconds(1), 0.001)
        let transfer = HTTPTransfer(origin: origin, limit: limit)
        let deadline = Task {
            try await clock.sleep(timeout)
            transfer.fail(RequestError(.timedOut, "\(origin) did not answer within \(timeout); ask again later"))
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            await transfer.answer { [request] in task(request, transfer) }
        } onCancel: {
            transfer.fail(RequestError(.cancelled, "the request was cancelled"))
        }.get()
    }
}
