import AllotFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct TransferredResponse: Sendable {
    let response: HTTPURLResponse
    /// Empty if a reader has taken it.
    let body: [UInt8]
}

/// One request and its response: up to a maximal size, or, with a reader, without end.
final class HTTPTransfer: Sendable {
    typealias Outcome = Result<TransferredResponse, RequestError>

    private struct State {
        var task: URLSessionDataTask?
        var deadline: Task<Void, any Error>?
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var response: HTTPURLResponse?
        var body: [UInt8] = []
        var redirections = 0
    }

    /// The maximal number of redirections (as in the Fetch standard).
    private static let redirectionLimit = 20
    private static let errorLimit = 64 * 1024

    let request: URLRequest
    private let state = Lock(State())
    private let origin: String
    private let limit: Int
    private let timeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let reader: EventReader?

    init(
        _ request: URLRequest, origin: String, limit: Int, timeout: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void, reader: EventReader?
    ) {
        (self.request, self.origin, self.limit, self.timeout, self.sleep) = (request, origin, limit, timeout, sleep)
        self.reader = reader
    }

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
            if isWanted { restartDeadline() } else { task.cancel() }
        }
    }

    func fail(_ error: RequestError) {
        let task = state.withLock { $0.outcome == nil ? $0.task : nil }
        end(.failure(error))
        task?.cancel()
    }

    private func restartDeadline() {
        let deadline = Task { [weak self, sleep, timeout, origin, isStream = reader != nil] in
            try await sleep(timeout)
            try Task.checkCancellation()
            let problem =
                isStream
                ? "has sent nothing for \(timeout); connect again" : "did not answer within \(timeout); ask again later"
            self?.fail(RequestError(.timedOut, "\(origin) \(problem)"))
        }
        let former = state.withLock { state in
            guard state.outcome == nil else { return deadline as Task? }
            defer { state.deadline = deadline }
            return state.deadline
        }
        former?.cancel()
    }

    /// The request, if it may be redirected once more.
    func redirectedRequest() -> URLRequest? {
        state.withLock { state in
            state.redirections += 1
            return state.redirections <= Self.redirectionLimit ? request : nil
        }
    }

    func receive(_ response: HTTPURLResponse) {
        state.withLock { state in
            state.response = response
            state.body = []
        }
        guard isSuccess(response) else { return }
        if let reader {
            read { () throws(RequestError) in try reader.check(response) }
        } else if isPlain(response), response.expectedContentLength > Int64(limit) {
            fail(tooLarge)
        }
    }

    func receive(_ bytes: Data) {
        let isForReader = state.withLock { state -> Bool? in
            guard state.outcome == nil else { return false }
            guard state.response.map(isSuccess) ?? false else {
                state.body += bytes.prefix(Self.errorLimit - state.body.count)
                return false
            }
            guard reader == nil else { return true }
            guard bytes.count <= limit - state.body.count else { return nil }
            state.body += bytes
            return false
        }
        guard let isForReader else { return fail(tooLarge) }
        read { () throws(RequestError) in if isForReader { try reader?.read(bytes) } }
    }

    /// Lets the reader, if there is one, do something with what has arrived.
    private func read(_ step: () throws(RequestError) -> Void) {
        guard reader != nil else { return }
        do throws(RequestError) {
            try step()
            restartDeadline()
        } catch { fail(error) }
    }

    func end(_ error: (any Error)?) {
        let (response, body) = state.withLock { ($0.response, $0.body) }
        if let error, response.map(isSuccess) ?? true {
            end(.failure(RequestError(error, origin)))
        } else if let response {
            // A status says enough, even if its body is incomplete. Not all systems notice that a connection ended in a
            // body.
            if reader == nil, isPlain(response), isSuccess(response),
                response.expectedContentLength > Int64(body.count)
            {
                let sent = "\(origin) sent \(body.count) of \(response.expectedContentLength) bytes; ask again later"
                end(.failure(RequestError(.unreachable, sent)))
            } else {
                end(.success(TransferredResponse(response: response, body: body)))
            }
        } else {
            end(.failure(RequestError(.unreachable, "\(origin) did not answer over HTTP; check the URL")))
        }
    }

    private func end(_ outcome: Outcome) {
        let (continuation, deadline) = state.withLock { state in
            guard state.outcome == nil else { return (CheckedContinuation<Outcome, Never>?.none, state.deadline) }
            state.outcome = outcome
            // A continuation that does not exist yet finds the outcome later.
            defer {
                state.continuation = nil
                state.task = nil
                state.deadline = nil
                state.body = []
            }
            return (state.continuation, state.deadline)
        }
        deadline?.cancel()
        continuation?.resume(returning: outcome)
    }

    private var tooLarge: RequestError {
        RequestError(.tooLarge, "\(origin) sent more than the limit of \(limit) bytes; raise the limit")
    }

    private func isSuccess(_ response: HTTPURLResponse) -> Bool {
        reader == nil ? (200...299).contains(response.statusCode) : response.statusCode == 200
    }

    private func isPlain(_ response: HTTPURLResponse) -> Bool {
        (response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity"
    }
}
