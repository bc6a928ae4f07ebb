import AllotServing
import TestSupport
import Testing

@testable import AllotServer

/// Connections of HTTP/1 as lists of events: the timeout is 10 seconds, and bodies have at most 1000 bytes.
struct ConnectionStateTests {
    /// A connection, the things that happen to it, and those that it does.
    private struct Connection {
        var state: ConnectionState<[UInt8]>
        var now = Duration.zero
        var actions: [String] = []
        /// The requests that have begun and have no answer.
        var unanswered = 0

        init(isReserved: Bool = false, draining: Draining = Draining()) {
            let limits = ConnectionLimits(timeout: .seconds(10), bodyBytes: 1000, hosts: nil, draining: draining)
            let reserve = isReserved ? ConnectionRefusal(.connections, "all connections are in use") : nil
            state = ConnectionState(limits, HeadRules(nil, reserve: reserve), at: .zero)
        }

        /// Lets something happen, and carries out what follows from it.
        mutating func receive(_ event: Substring) {
            let number = Int(event.drop { !$0.isNumber }) ?? 0
            switch event.prefix(while: { !$0.isNumber }) {
            case "bytes": state.receive(number, at: now)
            case "get": state.receive(.head(Self.head("GET")))
            case "head": state.receive(.head(Self.head("HEAD")))
            case "old": state.receive(.head(Self.head("GET", isOld: true, isKept: false)))
            case "last": state.receive(.head(Self.head("GET", isKept: false)))
            case "probe": state.receive(.head(Self.head("GET", target: "/health/live")))
            case "post": state.receive(.head(Self.head("POST", fields: [("Content-Length", "\(number)")])))
            case "chunked": state.receive(.head(Self.head("POST", fields: [("Transfer-Encoding", "chunked")])))
            case "body": state.receive(.body(Array(repeating: 0, count: number)))
            case "end": state.receive(.end)
            case "fault": state.receive(.fault(ConnectionRefusal(.syntax, "the request is not valid")))
            case "answer":
                if state.beginAnswer(hasLength: true, isEndless: false).isWanted {
                    unanswered -= 1
                    state.endAnswer(at: now)
                }
            case "stream": begin(hasLength: false)
            case "events": begin(hasLength: false, isEndless: true)
            case "whole": state.endAnswer(at: now)
            case "broken": state.endAnswer(isWhole: false, at: now)
            case "turn": state.receiveTurn()
            case "full": state.changeWritability(false, unsent: number, at: now)
            case "room": state.changeWritability(true, unsent: 0, at: now)
            case "unsent": state.noteUnsent(number)
            case "left": state.left(at: now)
            case "finish": state.closeInput(at: now)
            case "quiesce": state.quiesce(at: now)
            case "after": now += .seconds(number)
            case "look": state.look(at: now, unsent: number)
            default: Issue.record("\(event) is not an event")
            }
            while let action = state.next(at: now) {
                if case .begin = action { unanswered += 1 }
                if case .refuse = action { unanswered = 0 }
                actions.append(Self.text(action))
            }
        }

        private mutating func begin(hasLength: Bool, isEndless: Bool = false) {
            let (isWanted, connection) = state.beginAnswer(hasLength: hasLength, isEndless: isEndless)
            guard isWanted else { return }
            unanswered -= 1
            actions.append("head(\(connection ?? ""))")
        }

        private static func head(
            _ method: String, target: String = "/", isOld: Bool = false, isKept: Bool = true,
            fields: [(String, String)] = []
        ) -> HTTP1Head {
            let headers = [("Host", "localhost")] + fields
            return HTTP1Head(
                ServiceRequest(method: method, target: target, headers: headers.map { ($0, $1) }), isOld: isOld,
                isKept: isKept)
        }

        private static func text(_ action: ConnectionState<[UInt8]>.Action) -> String {
            switch action {
            case .decode(let count): "decode\(count)"
            case .body(let bytes): "body\(bytes.count)"
            case .begin: "begin"
            case .refuse(let refusal, let isHead): "refuse\(refusal.status ?? 0)" + (isHead ? "-head" : "")
            default: "\(action)"
            }
        }
    }

    /// Three lines each: a name, the things that happen, and those that the connection does.
    private static let rows = """
        a request
          bytes100 get end answer
          decode100 begin end
        two, one after another
          bytes50 get end get end answer answer
          decode50 begin end askTurn
        two, in turns
          bytes50 get end get end answer turn answer
          decode50 begin end askTurn begin end
        each after a read of its own
          bytes50 get end answer bytes50 get end
          decode50 begin end decode50 begin end
        a second waits for the answer
          get end bytes9 get end
          begin end
        bytes wait while a request is answered
          get end bytes5000 answer
          begin end decode2048 decode2048 decode904
        a body
          post9 body4 body5 end answer
          begin body4 body5 end
        a body is decoded at once as far as it is announced
          post900 bytes5000
          begin decode2048 decode2048 decode904
        a body that is announced too long
          post1001
          refuse413 awaitLeaving
        a body that becomes too long
          chunked body600 body600
          begin body600 refuse413 awaitLeaving
        an answer before the end of the body
          post9 answer body9 end get
          begin body9 end askTurn
        an answer before the end of chunks ends the connection
          chunked answer
          begin awaitLeaving
        no second answer
          post9 answer body4 answer after10 look
          begin body4 awaitLeaving
        a fault waits for the answer before it
          get end fault answer
          begin end refuse400 awaitLeaving
        a fault in a body
          chunked fault
          begin refuse400 awaitLeaving
        a fault in a body whose answer has begun
          post9 stream fault
          begin head() close
        the last request
          last end answer left after1 look
          begin end awaitLeaving closeOutput close
        requests after the last one
          last end get end answer get end
          begin end awaitLeaving
        a client that leaves while the connection lingers
          last end answer left finish
          begin end awaitLeaving closeOutput close
        an old client
          old end stream whole
          begin end head(close) awaitLeaving
        an old client whose answer breaks off
          old end stream broken
          begin end head(close) reset
        an answer that breaks off
          get end stream broken
          begin end head() close
        idle
          after9 look after1 look
          awaitLeaving
        idle after a request
          after9 get end answer after9 look after1 look
          begin end awaitLeaving
        a client that closes its side
          finish
          awaitLeaving
        a client that closes its side and awaits an answer
          get end finish answer left
          begin end awaitLeaving closeOutput close
        requests before the client closed its side
          bytes9 get end get end finish answer turn answer
          decode9 begin end askTurn begin end awaitLeaving
        a client that closes its side in a body
          post9 body4 finish left
          begin body4 refuse400 awaitLeaving closeOutput close
        a client that closes its side in a body after its answer
          post9 answer finish left
          begin awaitLeaving close
        a client that closes its side in a body during its answer
          post9 stream finish
          begin head() close
        events
          get end events bytes9 quiesce whole
          begin end head(close) endStream awaitLeaving
        events whose client leaves
          get end events finish whole
          begin end head(close) endStream awaitLeaving
        events whose client has left before
          get end finish events whole
          begin end head(close) endStream awaitLeaving
        events that begin while the server ends
          get end quiesce events whole
          begin end head(close) endStream awaitLeaving
        requests behind events are dropped after a while
          bytes9 get end get end finish after1 look
          decode9 begin end
        the server ends, idle
          quiesce left
          awaitLeaving close
        the server ends in a request
          get end get end quiesce answer
          begin end awaitLeaving
        the server ends in a body after its answer
          post9 answer quiesce body9 end
          begin body9 end awaitLeaving
        a slow body
          post900 after5 look after5 look
          begin refuse408 awaitLeaving
        a body that gets on
          post900 body900 after2 look end
          begin body900 end
        a client that takes nothing
          get end stream full900 after9 look900 after1 look900
          begin end head() noteUnread close
        idle after a long answer that the client took slowly
          get end answer full90000 after10 look70000 after9 look70000 room look after9 look after1 look
          begin end awaitLeaving
        a client that takes a little
          get end stream full90000 after10 look70000 after9 look70000 room after9 look
          begin end head()
        an old client that takes nothing
          old end stream full9 after10 look9
          begin end head(close) noteUnread reset
        a client that does not take the last answer
          last end answer unsent900 after10 look900
          begin end awaitLeaving noteUnread close
        no request begins while the client does not read
          bytes9 full9 get end room
          decode9 begin end
        HEAD that is refused
          head body9 end fault
          begin body9 end
        """

    @Test("A connection does what follows from what happens, and nothing else")
    func sequences() {
        let lines = Self.rows.split(separator: "\n")
        for row in stride(from: 0, to: lines.count, by: 3) {
            var connection = Connection()
            for event in lines[row + 1].split(separator: " ") { connection.receive(event) }
            #expect(connection.actions.joined(separator: " ") == lines[row + 2].dropFirst(2), "\(lines[row])")
        }
    }

    @Test("A connection that is kept for probes answers one probe, and refuses all else")
    func probes() {
        for (events, expected) in [
            ("probe end answer", "begin end awaitLeaving"), ("get", "refuse503 awaitLeaving"),
            ("head", "refuse503-head awaitLeaving"),
        ] {
            var connection = Connection(isReserved: true)
            for event in events.split(separator: " ") { connection.receive(event) }
            #expect(connection.actions.joined(separator: " ") == expected)
        }
    }

    /// Bytes that belong to something.
    private struct OwnedBytes: RandomAccessCollection {
        final class Owner {}

        let owner: Owner
        let startIndex = 0
        let endIndex = 4

        subscript(index: Int) -> UInt8 { 0 }
    }

    @Test("A connection does not keep the bytes that were used")
    func usedBytes() {
        let limits = ConnectionLimits(timeout: .seconds(10), bodyBytes: 1000, hosts: nil, draining: Draining())
        var state = ConnectionState<OwnedBytes>(limits, HeadRules(nil, reserve: nil), at: .zero)
        let request = ServiceRequest(
            method: "POST", target: "/", headers: [("Host", "localhost"), ("Content-Length", "9")])
        state.receive(.head(HTTP1Head(request, isOld: false, isKept: true)))
        weak var kept: OwnedBytes.Owner?
        do {
            let owner = OwnedBytes.Owner()
            kept = owner
            state.receive(.body(OwnedBytes(owner: owner)))
        }
        #expect(kept != nil)
        while state.next(at: .zero) != nil {}
        #expect(kept == nil)
    }

    @Test("While the server drains, an answer is the last one unless another request is there")
    func draining() {
        let draining = Draining()
        draining.begin()
        var connection = Connection(draining: draining)
        for event in "get end answer".split(separator: " ") { connection.receive(event) }
        #expect(connection.actions == ["begin", "end", "awaitLeaving"])
    }

    @Test(
        "Whatever happens, requests are answered once and in order, little waits, and nothing follows the end",
        arguments: 0..<200)
    func invariants(seed: Int) {
        var generator = SeededGenerator(seed: seed)
        var connection = Connection()
        let events = [
            "bytes3000", "bytes90000", "get", "end", "head", "old", "post9", "chunked", "body4", "fault", "answer",
            "stream", "events", "whole", "turn", "full900", "room", "left", "finish", "quiesce", "after1", "look",
            "look900",
        ]
        var isClosed = false
        for _ in 0..<60 {
            let event = Substring(generator.pick(events))
            let before = connection.actions.count
            connection.receive(event)
            let actions = connection.actions[before...]
            #expect(connection.unanswered <= 1, "\(event)")
            #expect(connection.state.heldBytes <= ConnectionState<[UInt8]>.mostHeldBytes)
            if isClosed { #expect(actions.isEmpty, "\(event): \(actions)") }
            isClosed = isClosed || actions.contains("close") || actions.contains("reset")
            // No look is due that was just made.
            if event.hasPrefix("look"), let deadline = connection.state.deadline {
                #expect(deadline > connection.now - .seconds(1), "\(event)")
            }
        }
        // A client that does nothing any more is left in bounded time.
        for _ in 0..<20 where !isClosed {
            guard let deadline = connection.state.deadline else { break }
            connection.now = max(connection.now, deadline)
            connection.receive("look900")
            connection.receive("left")
            isClosed = connection.actions.contains("close") || connection.actions.contains("reset")
        }
        // Only an answer that the server owes keeps it open.
        #expect(isClosed || connection.state.deadline == nil)
    }
}
