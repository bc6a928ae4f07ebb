import NIOCore

/// A request that waits until there is room for its answer.
protocol WaitingRequest: AnyObject {
    /// Hands on the request, which ``StreamAnswers`` then counts as one without an answer.
    func resume()
}

/// The answers of one connection of HTTP/2 that its client has not taken, and the streams that wait until it has.
///
/// A client may open a hundred streams and read none of their answers, all of which would be in memory. So a request
/// is handed on while the answers before it take little room; and in turns with the requests of other connections.
final class StreamAnswers {
    /// The most bytes of answers with which another request may begin.
    private static let limit = 512 * 1024
    /// The bytes that an answer counts for before it is known: 16 requests are worked on at a time.
    private static let reserve = 32 * 1024

    private var bytes = 0
    /// The number of requests that are handed on and have no answer yet.
    private var unansweredCount = 0
    private var waiting = CircularBuffer<any WaitingRequest>()
    private var isResuming = false
    private var turns: ConnectionTurns?

    init(_ turns: LoopTurns) {
        self.turns = ConnectionTurns(turns) { [weak self] in self?.resume() }
    }

    /// Notes that the client has sent something.
    func noteRead() {
        turns?.noteRead()
    }

    /// Whether a request may be handed on now. Otherwise it has to ``wait(_:)``.
    func admitsRequest() -> Bool {
        guard waiting.isEmpty, hasRoom, takeTurn() else { return false }
        unansweredCount += 1
        return true
    }

    /// Adds a request that is resumed as soon as it may begin.
    func wait(_ request: any WaitingRequest) {
        waiting.append(request)
    }

    /// Notes that a request that was handed on has an answer, or never will.
    func answered() {
        unansweredCount -= 1
        resume()
    }

    /// Notes a part of an answer.
    ///
    /// - Parameter promise: completed when the part has left, or is lost.
    func add(_ count: Int, until promise: EventLoopPromise<Void>) {
        bytes += count
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            bytes -= count
            resume()
        }
    }

    /// Forgets a request that waits.
    func remove(_ request: any WaitingRequest) {
        waiting.removeAll { $0 === request }
    }

    private var hasRoom: Bool { bytes + unansweredCount * Self.reserve < Self.limit }

    private func takeTurn() -> Bool { turns?.take() ?? true }

    private func resume() {
        guard !isResuming else { return }
        isResuming = true
        while hasRoom, !waiting.isEmpty, takeTurn(), let request = waiting.popFirst() {
            unansweredCount += 1
            request.resume()
        }
        isResuming = false
    }
}
