import NIOCore

/// The life of a connection of HTTP/2, which ends in bounded time whatever the client does: a value that knows neither
/// a channel nor a clock. `Sendable`.
///
/// The manager of swift-nio-http2 ends a connection that is idle, and then waits for the client before it closes it;
/// and after a fault of the client NIO goes on reading. Closing is for others (RFC 9113, section 5.4.1).
struct ConnectionLife: Sendable {
    enum Action: Sendable, Equatable {
        case none
        /// Close it, and take no more bytes of it.
        case close
        /// Close it as soon as its client has taken what was written, and take no more bytes of it.
        case leave
        /// Call ``ConnectionLife/check(at:)`` at this time.
        case check(at: NIODeadline)
    }

    private enum State {
        case open
        /// `GOAWAY` was sent, or the server ends.
        case leaving
        case closed
    }

    /// The time for what was written, and for a request that is on its way, when a connection without streams leaves.
    static let grace = TimeAmount.seconds(1)
    /// The longest time without streams until the connection leaves.
    private let timeout: TimeAmount
    private var state = State.open
    private var ends = FrameEnds()
    /// When the last frame ended, or the life began.
    private var lastEnd: NIODeadline
    private var streams = 0
    /// When the last stream ended, or the connection began to leave.
    private var idleSince: NIODeadline

    /// A life; twice the longest time without streams may pass without the end of a frame, such as an answer to a ping.
    init(timeout: TimeAmount, at now: NIODeadline) {
        self.timeout = timeout
        (lastEnd, idleSince) = (now, now)
    }

    /// Takes bytes of the client. Returns whether the next handler gets them.
    mutating func received(_ bytes: ByteBufferView, at now: NIODeadline) -> Bool {
        if case .closed = state { return false }
        if ends.anyEnds(in: bytes) { lastEnd = now }
        return true
    }

    /// Notes that `GOAWAY` was written, which may name a fault of the client.
    mutating func sentGoAway(isFault: Bool, at now: NIODeadline) -> Action { isFault ? close() : leave(at: now) }

    mutating func leave(at now: NIODeadline) -> Action {
        guard case .open = state else { return .none }
        (state, idleSince) = (.leaving, now)
        return nextCheck
    }

    mutating func close() -> Action {
        if case .closed = state { return .none }
        state = .closed
        return .close
    }

    mutating func streamOpened() { streams += 1 }

    mutating func streamClosed(at now: NIODeadline) -> Action {
        streams -= 1
        idleSince = now
        // While the connection is open, the check that is due anyway is early enough.
        if case .leaving = state { return nextCheck }
        return .none
    }

    mutating func check(at now: NIODeadline) -> Action {
        guard let end, end <= now else { return nextCheck }
        state = .closed
        return silenceEnd <= now ? .close : .leave
    }

    private var nextCheck: Action { end.map { .check(at: $0) } ?? .none }
    /// When a client that sends no frame is taken for gone.
    private var silenceEnd: NIODeadline { lastEnd + timeout + timeout + Self.grace }

    /// The time at which the connection is closed if nothing happens until then; `nil` if it is closed already.
    private var end: NIODeadline? {
        switch state {
        case .closed: nil
        case .open where streams == 0: min(silenceEnd, idleSince + timeout + Self.grace)
        case .leaving where streams == 0: min(silenceEnd, idleSince + Self.grace)
        case .open, .leaving: silenceEnd
        }
    }
}

/// Finds the frames of HTTP/2 that end in the bytes of a connection (RFC 9113, sections 3.4 and 4.1): only the end of
/// a frame shows that a client is alive.
struct FrameEnds: Sendable {
    /// The part of the next byte.
    private enum Part {
        /// The head of a frame, of which some bytes were received; `length` is the payload's, as far as it is known.
        case head(received: Int, length: Int)
        /// The client's preface or the payload of a frame, of which some bytes are left.
        case rest(left: Int)
    }

    private static let prefaceLength = 24
    private static let headLength = 9
    /// The bytes of a head that say how long the payload is.
    private static let lengthBytes = 3
    private var part = Part.rest(left: prefaceLength)

    /// Takes the next bytes. Returns whether a frame, or the preface, ends in them.
    mutating func anyEnds(in bytes: ByteBufferView) -> Bool {
        var (rest, anyEnds) = (bytes, false)
        while let byte = rest.first {
            switch part {
            case .rest(let left):
                let taken = min(left, rest.count)
                rest = rest.dropFirst(taken)
                part = taken < left ? .rest(left: left - taken) : .head(received: 0, length: 0)
                if taken == left { anyEnds = true }
            case .head(let received, var length):
                rest = rest.dropFirst()
                if received < Self.lengthBytes { length = length << 8 | Int(byte) }
                if received + 1 < Self.headLength {
                    part = .head(received: received + 1, length: length)
                } else if length > 0 {
                    part = .rest(left: length)
                } else {
                    part = .head(received: 0, length: 0)
                    anyEnds = true
                }
            }
        }
        return anyEnds
    }
}
