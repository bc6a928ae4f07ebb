/// The state of the streams of a connection of HTTP/2: which requests may begin, and what takes too long; a value like
/// ``ConnectionState``. A client may read none of a hundred answers, so a request begins while those before it take
/// little room, and in turns with the requests of other connections.
struct StreamsState: ConnectionProgress {
    enum Action {
        /// Call ``receiveTurn()`` when a request may begin.
        case askTurn
        case begin(Int)
        case end(Int)
        /// Write the whole answer to a request, whose work is not wanted any more.
        case refuse(Int, ConnectionRefusal)
        case reset(Int, Reset)
    }

    enum Reset {
        /// The answer has left, and the rest of the body is not needed (RFC 9113, section 8.1).
        case answered
        case broken
        case unread
    }

    private struct Stream {
        enum Answer: Equatable {
            case receiving
            /// The request waits until there is room for its answer. Its head may be handed on already.
            case waiting(isBegun: Bool)
            case working
            case streaming
            case leaving
            /// A refusal is about to be written, or the stream is about to be reset.
            case ended
        }

        /// `nil` when all of the request was received.
        var body: BodyProgress?
        var answer: Answer
        /// The end of the time in which what was written has to leave; `nil` if nothing waits.
        var leaveEnd: Duration?
        var takesBody: Bool { body != nil && (answer == .receiving || answer == .working) }
    }

    /// The most bytes of answers with which another request may begin.
    static let limit = 512 * 1024
    /// The bytes that an answer counts for before it is known: 16 requests are worked on at a time.
    static let reserve = 32 * 1024
    /// The bytes of a body that a client may send before they are taken.
    private static let window = 65_535
    private let limits: ConnectionLimits
    private var streams: [Int: Stream] = [:]
    private var waiting: [Int] = []
    private var pending: [Action] = []
    private var bytes = 0
    /// The number of requests that have begun and have no answer yet.
    private var unansweredCount = 0
    var turn = ConnectionTurn.ready
    private var isClosed = false
    /// The time for the next look, or one before it; `nil` if there is none.
    private(set) var deadline: Duration?
    init(_ limits: ConnectionLimits) { self.limits = limits }
    /// The bytes of answers, and of room that is kept for them.
    var room: Int { bytes + unansweredCount * Self.reserve }
    var hasWork: Bool { !pending.isEmpty || !waiting.isEmpty }
    func isOpen(_ stream: Int) -> Bool { streams[stream] != nil }

    /// The bytes by which the window of a stream, 0 for the connection, has to grow; `nil` if it need not.
    func growth(ofWindow stream: Int, _ size: Int) -> Int? {
        guard stream == 0 || streams[stream]?.takesBody ?? false else { return nil }
        let growth = Self.window - size
        return growth >= max(size, 1) ? growth : nil
    }

    /// Opens a stream with the head of a request, which is answered after its body only if it needs that.
    mutating func open(
        _ stream: Int, announced length: Int?, hasBody: Bool, needsBody: Bool, refusal: ConnectionRefusal?,
        at now: Duration
    ) {
        guard !isClosed else { return }
        let body = hasBody ? BodyProgress(announced: length, at: now, limits) : nil
        var answer = Stream.Answer.waiting(isBegun: false)
        if let refusal {
            answer = .ended
            pending.append(.refuse(stream, refusal))
        } else if let body, needsBody {
            answer = .receiving
            pending.append(.begin(stream))
            watch(until: body.nextCheck)
        } else {
            waiting.append(stream)
        }
        streams[stream] = Stream(body: body, answer: answer)
    }

    /// Takes a part of a body, or its end. Returns whether the bytes are used.
    mutating func receive(_ count: Int, ends: Bool, on stream: Int) -> Bool {
        guard let open = streams[stream], var body = open.body else { return false }
        let isWithinLimit = body.receive(count)
        streams[stream]?.body = ends ? nil : body
        guard open.takesBody else { return false }
        if !isWithinLimit {
            refuse(stream, .largeBody(limits))
        } else if ends, open.answer == .receiving {
            set(stream, .waiting(isBegun: true))
            waiting.append(stream)
        } else if ends {
            pending.append(.end(stream))
        }
        return isWithinLimit
    }

    /// Notes that the whole answer, or its end, is written; ``left(_:of:)`` is called when its bytes have left.
    mutating func answer(_ stream: Int, _ count: Int, at now: Duration) {
        write(stream, count, .leaving, until: now + limits.timeout * 2)
    }

    /// Notes that the head of an answer is written that comes part by part. The first part may come at any time.
    mutating func beginParts(_ stream: Int) { set(stream, .streaming) }

    /// Notes that a part is written; ``left(_:of:)`` is called when it has left, or is lost.
    mutating func addPart(_ stream: Int, _ count: Int, at now: Duration) {
        write(stream, count, .streaming, until: now + limits.timeout)
    }

    private mutating func write(_ stream: Int, _ count: Int, _ answer: Stream.Answer, until end: Duration) {
        bytes += count
        set(stream, answer)
        streams[stream]?.leaveEnd = end
        watch(until: end)
    }

    mutating func breakOff(_ stream: Int) { reset(stream, .broken) }

    /// Notes that what was written has left, whether the stream is still open or not.
    mutating func left(_ count: Int, of stream: Int) {
        bytes -= count
        guard let left = streams[stream] else { return }
        if left.answer == .leaving, left.body != nil { reset(stream, .answered) }
        if left.answer == .streaming { streams[stream]?.leaveEnd = nil }
    }

    mutating func close(_ stream: Int) {
        guard isOpen(stream) else { return }
        set(stream, .ended)
        streams[stream] = nil
        pending.removeAll { action in
            switch action {
            case .begin(stream), .end(stream), .refuse(stream, _), .reset(stream, _): true
            default: false
            }
        }
    }

    mutating func channelClosed() {
        isClosed = true
        (streams, waiting, pending, unansweredCount, deadline) = ([:], [], [], 0, nil)
    }

    mutating func look(at now: Duration) {
        deadline = nil
        for (stream, looked) in streams.sorted(by: { $0.key < $1.key }) {
            if looked.takesBody, var body = looked.body {
                if now >= body.nextCheck {
                    guard body.look(at: now) else {
                        refuse(stream, .slowBody(limits))
                        continue
                    }
                    streams[stream]?.body = body
                }
                watch(until: body.nextCheck)
            }
            guard let end = looked.leaveEnd else { continue }
            if now < end { watch(until: end) } else { reset(stream, .unread) }
        }
    }

    /// The next thing to do. Returns `nil` if there is none until something happens.
    mutating func next(at now: Duration) -> Action? {
        if !pending.isEmpty { return pending.removeFirst() }
        guard let stream = waiting.first, room < Self.limit, turn != .asked else { return nil }
        guard turn == .ready else {
            turn = .asked
            return .askTurn
        }
        turn = .none
        guard case .waiting(let isBegun)? = streams[stream]?.answer else { return nil }
        set(stream, .working)
        if isBegun { return .end(stream) }
        if streams[stream]?.body == nil {
            pending.append(.end(stream))
        } else {
            // The body counts from now on: no more than a window of it came while the request waited, and was dropped.
            let body = BodyProgress(announced: nil, at: now, limits)
            streams[stream]?.body = body
            watch(until: body.nextCheck)
        }
        return .begin(stream)
    }

    private mutating func refuse(_ stream: Int, _ refusal: ConnectionRefusal) {
        set(stream, .ended)
        pending.append(.refuse(stream, refusal))
    }

    private mutating func reset(_ stream: Int, _ reason: Reset) {
        set(stream, .ended)
        pending.append(.reset(stream, reason))
    }

    private mutating func set(_ stream: Int, _ answer: Stream.Answer) {
        guard let before = streams[stream]?.answer else { return }
        if case .waiting = before { waiting.removeAll { $0 == stream } }
        if before == .working { unansweredCount -= 1 }
        if answer == .working { unansweredCount += 1 }
        streams[stream]?.answer = answer
        streams[stream]?.leaveEnd = nil
    }

    private mutating func watch(until time: Duration) { deadline = min(deadline ?? time, time) }
}
