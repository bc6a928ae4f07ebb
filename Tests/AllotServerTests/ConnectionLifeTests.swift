import NIOCore
import Testing

@testable import AllotTLS

/// Connections of HTTP/2 as lists of events: the timeout is 10 seconds, and the times are seconds after the beginning.
struct ConnectionLifeTests {
    private enum Event {
        /// The preface, or whole frames.
        case frame
        /// A byte in the middle of a frame.
        case drip
        case opened, closed
        case goAway(isFault: Bool)
        case serverEnds, inputClosed
        case check
    }

    private static func time(_ seconds: Int) -> NIODeadline { .uptimeNanoseconds(UInt64(seconds) * 1_000_000_000) }

    /// The last action after events, the first of which is the preface at 0.
    private func action(_ events: [(at: Int, event: Event)]) -> ConnectionLife.Action {
        var life = ConnectionLife(timeout: .seconds(10), at: Self.time(0))
        _ = life.received(ByteBuffer(bytes: HTTP2Frame.preface).readableBytesView, at: Self.time(0))
        var action = ConnectionLife.Action.none
        for (seconds, event) in events {
            let now = Self.time(seconds)
            switch event {
            case .frame: _ = life.received(Self.bytes(.settings()), at: now)
            // The head of a frame of 16 KiB; the next ones are a part of its payload.
            case .drip: _ = life.received(Self.bytes(.data(1, Array(repeating: 0, count: 16_384)), 9), at: now)
            case .opened: life.streamOpened()
            case .closed: action = life.streamClosed(at: now)
            case .goAway(let isFault): action = life.sentGoAway(isFault: isFault, at: now)
            case .serverEnds: action = life.leave(at: now)
            case .inputClosed: action = life.close()
            case .check: action = life.check(at: now)
            }
        }
        return action
    }

    private static func bytes(_ frame: HTTP2Frame, _ count: Int = .max) -> ByteBufferView {
        ByteBuffer(bytes: frame.bytes.prefix(count)).readableBytesView
    }

    /// One case: its name, its events, and the last action.
    private typealias Case = (name: String, events: [(at: Int, event: Event)], action: ConnectionLife.Action)

    @Test("A connection is closed in time, and not before, whatever its client does")
    func ends() {
        let cases: [Case] = [
            ("idle, before the manager's GOAWAY", [(10, .check)], .check(at: Self.time(11))),
            ("idle, though no GOAWAY could be written", [(11, .check)], .leave),
            ("idle and alive", [(5, .frame), (11, .check)], .leave),
            ("idle and dripping", [(5, .drip), (8, .drip), (11, .check)], .leave),
            ("GOAWAY without streams", [(10, .goAway(isFault: false))], .check(at: Self.time(11))),
            ("GOAWAY, then frames", [(3, .goAway(isFault: false)), (3, .frame), (4, .check)], .leave),
            ("a second GOAWAY", [(3, .goAway(isFault: false)), (4, .goAway(isFault: false))], .none),
            (
                "a request on its way", [(3, .goAway(isFault: false)), (3, .opened), (4, .check)],
                .check(at: Self.time(21))
            ),
            (
                "the end of that", [(3, .goAway(isFault: false)), (3, .opened), (7, .closed)],
                .check(at: Self.time(8))
            ),
            ("a stream, dripping", [(1, .opened), (5, .drip), (15, .drip), (21, .check)], .close),
            ("a stream, silent", [(1, .opened), (20, .check)], .check(at: Self.time(21))),
            ("a stream, alive", [(1, .opened), (15, .frame), (21, .check)], .check(at: Self.time(36))),
            ("the end of a stream", [(1, .opened), (5, .closed)], .none),
            ("idle after a stream", [(1, .opened), (5, .closed), (15, .check)], .check(at: Self.time(16))),
            ("idle long after a stream", [(1, .opened), (5, .frame), (5, .closed), (16, .check)], .leave),
            ("a fault, with streams", [(1, .opened), (2, .goAway(isFault: true))], .close),
            ("after a fault", [(2, .goAway(isFault: true)), (90, .check)], .none),
            ("closed twice", [(2, .goAway(isFault: true)), (2, .inputClosed)], .none),
            ("the client is gone", [(1, .opened), (2, .inputClosed)], .close),
            ("the server ends", [(2, .serverEnds)], .check(at: Self.time(3))),
            ("the server ends, with streams", [(1, .opened), (2, .serverEnds)], .check(at: Self.time(21))),
            ("the server ends, then GOAWAY", [(2, .serverEnds), (3, .goAway(isFault: false))], .none),
        ]
        for (name, events, expected) in cases { #expect(action(events) == expected, "\(name)") }
    }

    @Test("What comes after the end is not handed on")
    func nothingIsTakenAfterTheEnd() {
        var life = ConnectionLife(timeout: .seconds(10), at: Self.time(0))
        let before = life.received(Self.bytes(.settings()), at: Self.time(1))
        #expect(life.sentGoAway(isFault: true, at: Self.time(1)) == .close)
        let after = life.received(Self.bytes(.settings()), at: Self.time(1))
        #expect(before)
        #expect(!after)
    }
}
