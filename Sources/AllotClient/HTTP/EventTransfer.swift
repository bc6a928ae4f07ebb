import AllotConfiguration
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One connection for server-sent events.
final class EventTransfer: HTTPReceiver {
    private struct State {
        var events: ServerSentEvents
        var task: URLSessionDataTask?
        var watch: Task<Void, any Error>?
        var response: HTTPURLResponse?
        var errorBody: [UInt8] = []
        var isEnded = false
    }

    /// The maximal number of bytes that are read of an error's body.
    private static let errorLimit = 64 * 1024

    private let state: Mutex<State>
    private let continuation: AsyncThrowingStream<ServerUpdate, any Error>.Continuation
    private let origin: String
    private let silence: Duration
    private let clock: HTTPClock
    private let noteID: @Sendable (String?) -> Void

    init(
        _ continuation: AsyncThrowingStream<ServerUpdate, any Error>.Continuation, origin: String, lastEventID: String?,
        silence: Duration, clock: HTTPClock, noteID: @escaping @Sendable (String?) -> Void
    ) {
        state = Mutex(State(events: ServerSentEvents(lastEventID: lastEventID)))
        self.continuation = continuation
        self.origin = origin
        self.silence = silence
        self.clock = clock
        self.noteID = noteID
    }

    /// Starts a task.
    func start(_ task: URLSessionDataTask) {
        let isWanted = state.withLock { state in
            if !state.isEnded { state.task = task }
            return !state.isEnded
        }
        // A session never releases a task that was not started, even if it was cancelled.
        task.resume()
        if isWanted { watch() } else { task.cancel() }
    }

    /// Ends the connection.
    func stop(_ error: RequestError? = nil) {
        let ended = state.withLock { state -> (task: URLSessionDataTask?, watch: Task<Void, any Error>?)? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            defer {
                state.task = nil
                state.watch = nil
            }
            return (state.task, state.watch)
        }
        guard let ended else { return }
        ended.watch?.cancel()
        ended.task?.cancel()
        continuation.finish(throwing: error)
    }

    /// Restarts the time in which the server must send something.
    private func watch() {
        let watch = Task { [weak self, clock, silence, origin] in
            try await clock.sleep(silence)
            try Task.checkCancellation()
            self?.stop(
                RequestError(.timedOut, "\(origin) has sent nothing for \(silence); connect again"))
        }
        let former = state.withLock { state -> Task<Void, any Error>? in
            guard !state.isEnded else { return watch }
            defer { state.watch = watch }
            return state.watch
        }
        former?.cancel()
    }

    func receive(_ response: HTTPURLResponse) {
        state.withLock { $0.response = response }
        guard response.statusCode == 200 else { return }
        let type = (response.value(forHTTPHeaderField: "Content-Type") ?? "").prefix { $0 != ";" }
        guard type.trimmingCharacters(in: .whitespaces).lowercased() == "text/event-stream" else {
            return stop(
                RequestError(
                    .malformed,
                    "\(origin) answered with \(QuotedText(String(type))) instead of text/event-stream; check the URL"))
        }
        watch()
    }

    func receive(_ bytes: Data) {
        do {
            let (events, id, retry) = try state.withLock { state -> ([ServerSentEvents.Event], String?, Int?) in
                guard !state.isEnded else { return ([], nil, nil) }
                guard state.response?.statusCode == 200 else {
                    state.errorBody += bytes.prefix(Self.errorLimit - state.errorBody.count)
                    return ([], nil, nil)
                }
                return (try state.events.read(bytes), state.events.lastEventID, state.events.retry)
            }
            watch()
            if let id { noteID(id) }
            for event in events where event.type == "message" {
                if let revision = try Self.revision(event, origin) {
                    continuation.yield(ServerUpdate(revision: revision, retry: retry.map { Double($0) / 1000 }))
                }
            }
        } catch let error as RequestError {
            stop(error)
        } catch {
            stop(RequestError(.tooLarge, "\(origin) sent a line or an event that is too long; check the server"))
        }
    }

    func end(_ error: (any Error)?) {
        let (response, body) = state.withLock { ($0.response, $0.errorBody) }
        if let response, response.statusCode != 200 {
            stop(RequestError(response, body: body, origin, now: clock.now()))
        } else if let error {
            stop(RequestError(error, origin))
        } else if response == nil {
            stop(RequestError(.unreachable, "\(origin) did not answer over HTTP; check the URL"))
        } else {
            stop()
        }
    }

    /// The revision in a message. Returns `nil` for messages of other kinds.
    private static func revision(_ event: ServerSentEvents.Event, _ origin: String) throws(RequestError) -> String? {
        guard case .object(let message)? = try? JSONValue(parsing: Array(event.data.utf8)) else {
            throw RequestError(.malformed, "\(origin) sent a message that is not a JSON object; check the server")
        }
        guard (message["type"] ?? refetch) == refetch else { return nil }
        guard case .string(let revision)? = message["revision"], !revision.isEmpty else {
            throw RequestError(.malformed, "\(origin) sent a message without a revision; check the server")
        }
        return revision
    }

    /// OFREP's type of messages that announce another configuration.
    private static let refetch: JSONValue = "refetchEvaluation"
}
