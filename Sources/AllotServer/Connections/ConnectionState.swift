import AllotServing

/// The state of a connection of HTTP/1, which answers one request after another, in turns with other connections, and
/// ends in bounded time whatever its client does: a value that knows neither a channel nor a clock. After each event
/// the handler carries out ``next(at:)`` until there is nothing to do. Bytes that come while a request is answered wait
/// as bytes: a decoded request is some forty times as large. A time is the duration since any fixed moment.
struct ConnectionState<Bytes: Collection>: ConnectionProgress where Bytes.Element == UInt8 {
    enum Part {
        case head(HTTP1Head)
        case body(Bytes)
        case end
        /// Bytes that are not HTTP/1, or too long.
        case fault(ConnectionRefusal)
    }

    enum Action {
        /// Decode a number of the bytes that wait.
        case decode(Int)
        /// Call ``receiveTurn()`` when a request may begin.
        case askTurn
        /// Begin a request: it is answered by ``beginAnswer(hasLength:isEndless:)`` and ``endAnswer(at:)``.
        case begin(HTTP1Head)
        case body(Bytes)
        case end
        /// Write the whole answer to the present request, or to what cannot be one; its work is not wanted any more.
        case refuse(ConnectionRefusal, isHead: Bool)
        case noteUnread
        /// End the answer that has no end of its own.
        case endStream
        /// Call ``noteUnsent(_:)``, and ``left(at:)`` when all that was written has left.
        case awaitLeaving
        case closeOutput
        case close
        /// Close the connection so that the client sees a failure.
        case reset
    }

    private enum State {
        case idle(since: Duration)
        case exchange(Exchange)
        /// The last answer was written, and has not left.
        case leaving(lingers: Bool)
        /// Bytes that the client still sends are dropped: closed at once, the last answer could be lost.
        case lingering(since: Duration)
        case closed
    }

    private struct Exchange {
        enum Answer {
            case awaited, begun
            /// Only the rest of the body is awaited.
            case ended
        }

        let since: Duration
        let isOld: Bool
        let isHead: Bool
        let isChunked: Bool
        var isLast: Bool
        /// `nil` when all of the request was received.
        var body: BodyProgress?
        var answer = Answer.awaited
        /// Whether only the end of the connection says where the answer ends.
        var endsByClosing = false
        /// Whether the answer that was begun has no end of its own.
        var isEndless = false
        /// Whether such an answer is to end at once: the server shuts down, or the client has left.
        var isOver = false
        /// Whether all was received, and the answer has not ended.
        var isHeldUp: Bool { body == nil && answer != .ended }
    }

    private enum Input {
        case open
        /// The client has closed its side, and bytes that it sent before wait.
        case closing(since: Duration)
        case closed
    }

    /// The most bytes that are decoded at once, but for bodies whose end is known.
    static var slice: Int { 2048 }
    /// The most bytes that wait. A read of the socket gives half; but after its end all is read, perhaps megabytes.
    static var mostHeldBytes: Int { 128 * 1024 }
    /// More of a body than this is not read to its end after an answer that did not need it.
    static var mostDroppedBytes: Int { 64 * 1024 }
    /// How long the connection lingers, and how long requests wait for an answer once the client has closed its side.
    static var patience: Duration { .seconds(1) }
    private let limits: ConnectionLimits
    private var rules: HeadRules
    private var state: State
    private var pending: [Action] = []
    private var waiting: ArraySlice<Part> = []
    /// The bytes that wait. All others that were received may be forgotten.
    private(set) var heldBytes = 0
    private var input = Input.open
    var turn = ConnectionTurn.ready
    /// Since when the client takes too little, and the bytes that had not left then; `nil` while there is room.
    private var unread: (since: Duration, bytes: Int)?

    init(_ limits: ConnectionLimits, _ rules: HeadRules, at now: Duration) {
        (self.limits, self.rules) = (limits, rules)
        state = .idle(since: now)
    }

    private var exchange: Exchange? {
        get { if case .exchange(let exchange) = state { exchange } else { nil } }
        set { if let newValue { state = .exchange(newValue) } }
    }

    /// Whether nothing that is received is used any more.
    private var isEnding: Bool {
        switch state {
        case .leaving, .lingering, .closed: true
        case .exchange(let exchange): exchange.isEndless
        case .idle: false
        }
    }

    /// Whether more may be read of the client; after the last request too, else the answer could be lost.
    var isReading: Bool { isEnding || heldBytes == 0 && waiting.isEmpty }

    // MARK: Inputs

    /// Takes bytes of the client, which wait if they are used.
    mutating func receive(_ count: Int, at now: Duration) {
        guard !isEnding, case .open = input else { return }
        noteRead()
        heldBytes += count
        if heldBytes > Self.mostHeldBytes {
            heldBytes = Self.mostHeldBytes
            input = .closing(since: now)
        }
    }

    mutating func receive(_ part: Part) { if !isEnding { waiting.append(part) } }

    mutating func closeInput(at now: Duration) {
        if case .open = input { input = .closing(since: now) }
        if case .lingering = state { close() }
    }

    mutating func changeWritability(_ isWritable: Bool, unsent: Int, at now: Duration) {
        switch state {
        case .idle, .exchange:
            // Until now the client was taking answers.
            if isWritable, unread != nil, case .idle = state { state = .idle(since: now) }
            unread = isWritable ? nil : (now, unsent)
        case .leaving, .lingering, .closed: break
        }
    }

    /// Notes that the server shuts down: requests that wait are not begun any more.
    mutating func quiesce(at now: Duration) {
        if case .idle = state { leave(lingers: false, at: now) } else { endAfterAnswer() }
    }

    /// Notes how many bytes have not left when the last answer was written.
    mutating func noteUnsent(_ bytes: Int) { if case .leaving = state { unread?.bytes = bytes } }

    mutating func left(at now: Duration) {
        guard case .leaving(let lingers) = state else { return }
        guard lingers else { return close() }
        (state, unread) = (.lingering(since: now), nil)
        pending.append(.closeOutput)
        if case .open = input { return }
        close()
    }

    mutating func channelClosed() {
        close()
        pending = []
    }

    // MARK: Answers

    /// Begins the answer to the present request. Returns whether it is wanted, and its field Connection, if any.
    mutating func beginAnswer(hasLength: Bool, isEndless: Bool) -> (isWanted: Bool, connection: String?) {
        guard var exchange, exchange.answer == .awaited else { return (false, nil) }
        if let body = exchange.body, exchange.isChunked || body.announcedLeft > Self.mostDroppedBytes {
            exchange.isLast = true
        }
        exchange.endsByClosing = exchange.isOld && !hasLength
        exchange.isEndless = isEndless
        if exchange.endsByClosing || isEndless { exchange.isLast = true }
        if isEndless { drop() }
        if isEndless, exchange.isOver { pending.append(.endStream) }
        exchange.answer = .begun
        state = .exchange(exchange)
        return (true, exchange.isLast ? "close" : exchange.isOld ? "keep-alive" : nil)
    }

    /// Ends the answer to the present request; the connection ends in the middle of one that is not whole.
    mutating func endAnswer(isWhole: Bool = true, at now: Duration) {
        guard let exchange else { return }
        guard isWhole else { return abort() }
        if exchange.isLast {
            leave(lingers: true, at: now)
        } else if exchange.body == nil {
            state = .idle(since: now)
        } else {
            self.exchange?.answer = .ended
        }
    }

    // MARK: Time

    var deadline: Duration? {
        var first = unread.map { $0.since + limits.timeout }
        func wait(until time: Duration) { first = min(first ?? time, time) }
        switch state {
        case .idle(let since): if unread == nil { wait(until: since + limits.timeout) }
        case .exchange(let exchange):
            if let body = exchange.body { wait(until: body.nextCheck) }
            if let end = waitEnd(exchange) { wait(until: end) }
        case .lingering(let since): wait(until: since + Self.patience)
        case .leaving, .closed: break
        }
        return first
    }

    /// The end of the time in which requests wait for an answer; `nil` while the client has not closed its side.
    private func waitEnd(_ exchange: Exchange) -> Duration? {
        guard exchange.isHeldUp, case .closing(let since) = input else { return nil }
        return max(since, exchange.since) + Self.patience
    }

    /// Looks at what has taken too long. Some bytes of answers have not left.
    mutating func look(at now: Duration, unsent: Int) {
        switch state {
        case .idle(let since): if unread == nil, now >= since + limits.timeout { leave(lingers: false, at: now) }
        case .exchange(let looked):
            // The present answer takes long, as a stream of events does.
            if let end = waitEnd(looked), now >= end { drop() }
            if var body = looked.body, now >= body.nextCheck {
                guard body.look(at: now) else { return refuse(.slowBody(limits), at: now) }
                exchange?.body = body
            }
        case .lingering(let since): if now >= since + Self.patience { close() }
        case .leaving, .closed: break
        }
        guard let unread, now >= unread.since + limits.timeout else { return }
        if unread.bytes - unsent >= limits.leastBytesTaken {
            self.unread = (now, unsent)
        } else {
            pending.append(.noteUnread)
            abort()
        }
    }

    // MARK: Actions

    /// The next thing to do. Returns `nil` if there is none until something happens.
    mutating func next(at now: Duration) -> Action? {
        if pending.isEmpty { advance(at: now) }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private mutating func advance(at now: Duration) {
        while pending.isEmpty, let part = waiting.first {
            switch part {
            case .head(let head):
                guard case .idle = state, unread == nil, turn != .asked else { return }
                guard turn == .ready else {
                    turn = .asked
                    return pending.append(.askTurn)
                }
                turn = .none
                waiting.removeFirst()
                begin(head, at: now)
            case .body(let bytes):
                waiting.removeFirst()
                guard var body = exchange?.body else { continue }
                guard body.receive(bytes.count) else { return refuse(.largeBody(limits), at: now) }
                exchange?.body = body
                pending.append(.body(bytes))
            case .end:
                waiting.removeFirst()
                guard let ended = exchange else { continue }
                exchange?.body = nil
                pending.append(.end)
                guard ended.answer == .ended else { continue }
                if ended.isLast { leave(lingers: false, at: now) } else { state = .idle(since: now) }
            case .fault(let refusal):
                // In the middle of a request it is about that one; else it waits for the answers before it.
                if let exchange, exchange.body == nil { return }
                refuse(refusal, at: now)
            }
        }
        // A slice keeps the elements that were removed from it, with the buffers of their bytes.
        if waiting.isEmpty { waiting = [] }
        guard pending.isEmpty else { return }
        guard heldBytes > 0 else { return endInput(at: now) }
        guard mayDecode else { return }
        let count = min(max(Self.slice, exchange?.body?.announcedLeft ?? 0), heldBytes)
        heldBytes -= count
        pending.append(.decode(count))
    }

    private var hasWaitingRequest: Bool { waiting.contains { if case .head = $0 { true } else { false } } }

    private var mayDecode: Bool {
        switch state {
        case .idle: unread == nil
        case .exchange(let exchange): exchange.body != nil
        case .leaving, .lingering, .closed: false
        }
    }

    private mutating func begin(_ head: HTTP1Head, at now: Duration) {
        state = .exchange(
            Exchange(
                since: now, isOld: head.isOld, isHead: head.isHead, isChunked: head.isChunked,
                // A client that learns now that the connection ends does not send a request into its end later.
                isLast: head.isLast || rules.isReserved || limits.draining.isActive && !hasWaitingRequest,
                body: BodyProgress(announced: head.length, at: now, limits)))
        if let refusal = head.refusal ?? rules.refusal(of: head.request) {
            refuse(refusal, at: now)
        } else if head.length ?? 0 > limits.bodyBytes {
            refuse(.largeBody(limits), at: now)
        } else {
            pending.append(.begin(head))
        }
    }

    /// Goes on when the client has closed its side and all that it sent was used.
    private mutating func endInput(at now: Duration) {
        guard case .closing = input, waiting.isEmpty else { return }
        input = .closed
        switch state {
        case .idle: leave(lingers: true, at: now)
        case .exchange(let exchange) where exchange.body != nil:
            refuse(ConnectionRefusal(.syntax, "the request ended before its body"), at: now)
        case .exchange: endAfterAnswer()
        case .leaving, .lingering, .closed: break
        }
    }

    /// Ends the connection after the present answer, and the answer now if it has no end of its own.
    private mutating func endAfterAnswer() {
        if exchange?.isEndless == true { pending.append(.endStream) }
        exchange?.isLast = true
        exchange?.isOver = true
    }

    /// Answers with a refusal, if there is no answer yet, and ends the connection.
    private mutating func refuse(_ refusal: ConnectionRefusal, at now: Duration) {
        switch exchange?.answer {
        case .begun: return abort()
        case .ended: return leave(lingers: false, at: now)
        case .awaited, nil: break
        }
        pending.append(.refuse(refusal, isHead: exchange?.isHead ?? false))
        leave(lingers: true, at: now)
    }

    /// Closes the connection when what was written has left. A channel would drop the rest of the answers.
    private mutating func leave(lingers: Bool, at now: Duration) {
        drop()
        (state, unread) = (.leaving(lingers: lingers), (now, 0))
        pending.append(.awaitLeaving)
    }

    /// Closes the connection without waiting until what was written has left.
    private mutating func abort() {
        // Otherwise the client would take the part of the answer for the whole.
        close(exchange?.endsByClosing == true ? .reset : .close)
    }

    private mutating func close(_ action: Action = .close) {
        drop()
        (state, unread) = (.closed, nil)
        pending.append(action)
    }

    private mutating func drop() { (waiting, heldBytes) = ([], 0) }
}

extension ConnectionRefusal {
    static func largeBody(_ limits: ConnectionLimits) -> ConnectionRefusal {
        ConnectionRefusal(.bodySize, RequestFailure.largeBody(limits.bodyBytes).message)
    }

    static func slowBody(_ limits: ConnectionLimits) -> ConnectionRefusal {
        ConnectionRefusal(
            .bodyTime,
            "the body came too slowly; send at least \(ConnectionLimits.bytesPerSecond) bytes a second, and all of it "
                + "within \(limits.timeout.components.seconds) seconds")
    }
}
